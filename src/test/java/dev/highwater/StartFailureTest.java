package dev.highwater;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.highwater.store.StoreException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What a person reads when the program does not start. */
@ExtendWith(OutputCaptureExtension.class)
class StartFailureTest {
  @TempDir Path directory;

  @Test
  void aMisspeltNameIsOneLine(CapturedOutput output) {
    start(Plain.class, "--highwater.sample.max-gruop=9");

    assertThat(output.getErr())
        .isEqualTo(
            "highwater cannot start: highwater.sample.max-gruop (command line) is not a setting,"
                + " did you mean highwater.sample.max-group?\n");
    assertThat(said(output)).hasSize(1);
  }

  @Test
  void severalMisspeltNamesAreStillOneLine(CapturedOutput output) {
    start(Plain.class, "--highwater.zz=1", "--highwater.yy=1", "--highwater.sample.max-gruop=9");

    assertThat(said(output)).singleElement().asString().endsWith("? (and 2 more like it)");
  }

  @Test
  void aValueThatARoomRefusesIsTheRoomsOwnLine(CapturedOutput output) {
    start(Plain.class, "--highwater.sample.max-group=9000");

    assertThat(said(output))
        .containsExactly(
            "highwater cannot start: highwater.sample.max-group must be 1 to 4096, not 9000");
  }

  @Test
  void aValueOfTheWrongKindNamesTheKeyTheValueAndWhatWouldBeRight(CapturedOutput output) {
    start(Plain.class, "--highwater.sample.max-group=many");
    start(Plain.class, "--highwater.sample.commit-deadline=soon");
    start(Plain.class, "--highwater.sample.mode=ignore");

    assertThat(said(output))
        .containsExactly(
            "highwater cannot start: highwater.sample.max-group (command line)"
                + " must be a whole number, not many",
            "highwater cannot start: highwater.sample.commit-deadline (command line)"
                + " must be a time like 500ms, 30s or 5m, not soon",
            "highwater cannot start: highwater.sample.mode (command line)"
                + " must be one of reject, let-through, not ignore");
  }

  @Test
  void anEmptyDataDirectoryIsNotTakenForTheUsualOne(CapturedOutput output) {
    start(Store.class, "--highwater.data-dir=");
    start(Store.class, "--highwater.data-dir=  ");

    assertThat(said(output))
        .containsOnly("highwater cannot start: highwater.data-dir must be a directory, not empty")
        .hasSize(2);
  }

  @Test
  void aSecretIsNeverInTheLine(CapturedOutput output) {
    start(Keys.class, "--highwater.keys.secret-number=canary-7f3a");

    assertThat(said(output))
        .containsExactly(
            "highwater cannot start: highwater.keys.secret-number (command line)"
                + " must be a whole number");
    assertThat(output.getAll()).doesNotContain("canary-7f3a");
  }

  @Test
  void yamlThatCannotBeReadIsNamedByItsLineAndNotQuoted(CapturedOutput output) throws IOException {
    Path file = directory.resolve("application.yml");
    Files.writeString(file, "highwater:\n  sample: {secret: canary-7f3a\n  x: [\n");

    start(Plain.class, "--spring.config.additional-location=" + directory.toUri());

    assertThat(said(output))
        .singleElement()
        .asString()
        .startsWith("highwater cannot start: ")
        .contains("line ");
    assertThat(output.getAll()).doesNotContain("canary-7f3a");
  }

  @Test
  void aTakenPortIsNamedWithTheKeyThatChangesIt(CapturedOutput output) throws IOException {
    try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      int port = taken.getLocalPort();

      startServer("--server.address=127.0.0.1", "--server.port=" + port, NO_ROOMS);
      startServer(
          "--server.address=127.0.0.1",
          "--server.port=0",
          "--management.server.port=" + port,
          NO_ROOMS);

      assertThat(said(output))
          .containsExactly(
              "highwater cannot start: port "
                  + port
                  + " is taken by another program; stop that one or set server.port",
              "highwater cannot start: port "
                  + port
                  + " is taken by another program; stop that one or set management.server.port");
    }
  }

  @Test
  void aStoreThatDoesNotOpenIsTheStoresOwnLine(CapturedOutput output) {
    start(ReadOnlyStore.class);
    start(StoreThatFailsLater.class);

    assertThat(said(output))
        .containsExactly(
            "highwater cannot start: cannot write to /srv/data: read-only file system",
            "highwater cannot start: /srv/data is in use by another process");
  }

  @Test
  void aDefectKeepsItsStackTrace(CapturedOutput output) {
    start(Defect.class);

    assertThat(output.getErr()).doesNotContain("cannot start");
    assertThat(output.getAll())
        .contains("NullPointerException: a defect")
        .contains("at dev.highwater.StartFailureTest$Defect");
  }

  /** What stands on the console, line by line. */
  private static List<String> said(CapturedOutput output) {
    return Stream.of(output.getErr(), output.getOut()).flatMap(String::lines).toList();
  }

  private static void start(Class<?> program, String... args) {
    String[] quiet = Arrays.copyOf(args, args.length + 1);
    quiet[args.length] = "--logging.level.org.springframework.context.annotation=error";
    run(program, WebApplicationType.NONE, quiet);
  }

  /** The rooms whose health the readiness group holds are not here. */
  private static final String NO_ROOMS =
      "--management.endpoint.health.validate-group-membership=false";

  private static void startServer(String... args) {
    run(Server.class, WebApplicationType.SERVLET, args);
  }

  private static void run(Class<?> program, WebApplicationType type, String... args) {
    var application = new SpringApplication(program);
    application.setWebApplicationType(type);
    application.setLogStartupInfo(false);
    application.setRegisterShutdownHook(false);

    assertThat(catchThrowable(() -> application.run(args).close())).isNotNull();
  }

  /** The directory is the store's setting; here nobody else declares it. */
  @ConfigurationProperties("highwater")
  record Directory(Path dataDir) {}

  @ConfigurationProperties("highwater.keys")
  record KeyProperties(int secretNumber) {}

  @Configuration(proxyBeanMethods = false)
  @EnableConfigurationProperties(SampleProperties.class)
  static class Plain {}

  @Configuration(proxyBeanMethods = false)
  @EnableConfigurationProperties(KeyProperties.class)
  static class Keys {}

  @Configuration(proxyBeanMethods = false)
  @EnableConfigurationProperties(HighwaterProperties.class)
  static class Store {}

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Server {}

  @Configuration(proxyBeanMethods = false)
  static class ReadOnlyStore {
    @Bean
    Object store() throws StoreException {
      throw new StoreException(
          "cannot write to /srv/data: read-only file system", new IOException("EROFS"));
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class StoreThatFailsLater {
    @Bean
    SmartLifecycle store() {
      return new SmartLifecycle() {
        @Override
        public void start() {
          throw new IllegalStateException(
              "a wrapper", new StoreException("/srv/data is in use by another process"));
        }

        @Override
        public void stop() {}

        @Override
        public boolean isRunning() {
          return false;
        }
      };
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class Defect {
    @Bean
    Object defect() {
      throw new NullPointerException("a defect");
    }
  }
}
