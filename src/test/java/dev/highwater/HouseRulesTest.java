package dev.highwater;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameStartingWith;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.conditions.ArchConditions.callMethodWhere;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.util.Date;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;

/** What no file of the program does, and why. */
class HouseRulesTest {
  private static final JavaClasses PROGRAM =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("dev.highwater");

  @Test
  void onlyTheStoreKnowsRocksDb() {
    check(
        noClasses()
            .that()
            .resideOutsideOfPackage("dev.highwater.store..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.rocksdb..")
            .because("a handle used after its close ends the process; one room guards them all"));
  }

  @Test
  void onlyTheHttpSinkKnowsItsClient() {
    check(
        noClasses()
            .that()
            .resideOutsideOfPackage("dev.highwater.sink.http..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.apache.hc..")
            .because("a transport is one room, and can be taken out with its client"));
  }

  @Test
  void noSinkKnowsAnother() {
    check(
        slices()
            .matching("dev.highwater.sink.(*)..")
            .should()
            .notDependOnEachOther()
            .because("a transport is one room, and can be taken out with its client"));
  }

  @Test
  void theWayInAndTheWayOutNeverMeet() {
    check(
        noClasses()
            .that()
            .resideInAPackage("dev.highwater.ingest..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.highwater.dispatch..")
            .because("they meet in the store, at the durable mark (G2)"));
    check(
        noClasses()
            .that()
            .resideInAPackage("dev.highwater.dispatch..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.highwater.ingest..")
            .because("they meet in the store, at the durable mark (G2)"));
  }

  @Test
  void theVocabularyNeedsNothingButTheLanguage() {
    check(
        noClasses()
            .that()
            .resideInAPackage("dev.highwater.hook..")
            .should()
            .dependOnClassesThat(
                describe(
                    "are outside java.lang, java.util, java.time, java.nio.charset, java.security",
                    HouseRulesTest::isMoreThanTheLanguage))
            .because("every room speaks it, so it may bring no I/O and no framework along"));
  }

  private static boolean isMoreThanTheLanguage(JavaClass type) {
    return !resideInAnyPackage(
                "dev.highwater.hook",
                "java.lang..",
                "java.util..",
                "java.time..",
                "java.nio",
                "java.nio.charset",
                "java.security",
                "org.jspecify.annotations",
                "org.springframework.modulith")
            .test(type.getBaseComponentType())
        && !type.getBaseComponentType().isPrimitive();
  }

  @Test
  void timeComesFromAClockThatWasPassedIn() {
    check(
        noClasses()
            .should()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .callMethod(Instant.class, "now")
            .orShould()
            .callMethod(LocalDate.class, "now")
            .orShould()
            .callMethod(LocalDateTime.class, "now")
            .orShould()
            .callMethod(OffsetDateTime.class, "now")
            .orShould()
            .callMethod(ZonedDateTime.class, "now")
            .orShould()
            .callConstructor(Date.class)
            .because("a test holds the clock, and wall clocks step back (G7)"));
    check(
        noClasses()
            .that()
            .resideOutsideOfPackage("dev.highwater")
            .should(
                callMethodWhere(
                    target(owner(type(Clock.class))).and(target(nameStartingWith("system")))))
            .because("the clock is made once, in the root, and passed in"));
  }

  @Test
  void threadsAreMadeByNameAndQueuesHaveBounds() {
    check(
        noClasses()
            .should(
                callMethodWhere(
                    target(owner(type(Executors.class))).and(target(nameStartingWith("new")))))
            .because("these pools have nameless threads and queues without a bound (G13)"));
    check(
        noClasses()
            .should(
                callMethodWhere(
                    target(owner(type(CompletableFuture.class)))
                        .and(
                            describe(
                                "runs on the common pool",
                                call ->
                                    call.getName().matches("runAsync|supplyAsync")
                                        && call.getTarget().getRawParameterTypes().size() == 1))))
            .because(
                "the common pool is shared, so one's trouble would hold another's thread (G10)"));
  }

  @Test
  void nobodySleeps() {
    check(
        noClasses()
            .should()
            .callMethod(Thread.class, "sleep", long.class)
            .orShould()
            .callMethod(Thread.class, "sleep", java.time.Duration.class)
            .orShould()
            .callMethod(Thread.class, "sleep", long.class, int.class)
            .because("who waits must be woken by what it waits for, and by the stop"));
  }

  @Test
  void noPackageIsADrawerForEverything() {
    check(
        noClasses()
            .should()
            .resideInAnyPackage("..util..", "..utils..", "..common..", "..helper..", "..manager..")
            .because("a room has one job, and its name says it"));
  }

  @Test
  void dependenciesComeThroughTheConstructor() {
    check(
        noFields()
            .should()
            .beAnnotatedWith("org.springframework.beans.factory.annotation.Autowired")
            .orShould()
            .beAnnotatedWith("org.springframework.beans.factory.annotation.Value")
            .orShould()
            .beAnnotatedWith("jakarta.annotation.Resource")
            .orShould()
            .beAnnotatedWith("jakarta.inject.Inject")
            .because("what a class needs is then in one place, final, and a test can pass it"));
  }

  @Test
  void loggersAreOnesOwn() {
    check(
        fields()
            .that()
            .haveRawType(Logger.class)
            .should()
            .bePrivate()
            .andShould()
            .beStatic()
            .andShould()
            .beFinal()
            .because("a line's logger must name the class that wrote it"));
  }

  @Test
  void nothingIsPrintedExceptByTheProgramItself() {
    check(
        noClasses()
            .that()
            .resideOutsideOfPackage("dev.highwater")
            .should()
            .accessField(System.class, "out")
            .orShould()
            .accessField(System.class, "err")
            .orShould()
            .callMethod(Throwable.class, "printStackTrace")
            .because("what is worth saying goes to the log"));
  }

  @Test
  void everyPackageSaysWhatItIsFor() {
    List<String> silent =
        PROGRAM.stream()
            .map(JavaClass::getPackage)
            .distinct()
            .filter(room -> room.tryGetPackageInfo().isEmpty())
            .map(room -> room.getName())
            .toList();

    assertThat(silent).as("packages without a package-info").isEmpty();
  }

  private static void check(ArchRule rule) {
    // a rule about a room that is not built yet holds
    rule.allowEmptyShould(true).check(PROGRAM);
  }
}
