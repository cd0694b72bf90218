package dev.highwater;

import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.SpringBootExceptionReporter;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.web.server.PortInUseException;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.core.io.support.SpringFactoriesLoader.ArgumentResolver;
import org.springframework.core.io.support.SpringFactoriesLoader.FailureHandler;
import org.yaml.snakeyaml.error.MarkedYAMLException;

/**
 * Says in one line on standard error why the start failed, where the reason is one a person can
 * mend: a setting, a port, the data directory. The stack trace of such a failure is logged at
 * debug. Anything else is a defect, and keeps its stack trace.
 *
 * <p>What counts as a reason, in this order: an exception class of ours, or an {@link
 * IllegalArgumentException} thrown by our own code, whose message is then the line; a value that
 * cannot be bound; a port that is taken; YAML that cannot be read; what Spring Boot can explain.
 * The line never holds text of a file or the value of a secret.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class StartFailureReporter implements SpringBootExceptionReporter {
  private static final String OURS = "dev.highwater.";
  private static final Pattern SECRET = Pattern.compile("secret|password|token|credential|key");

  private final @Nullable ConfigurableApplicationContext context;

  /**
   * @param context null where the failure came before there was one
   */
  StartFailureReporter(@Nullable ConfigurableApplicationContext context) {
    this.context = context;
  }

  @Override
  public boolean reportException(Throwable failure) {
    String reason = reason(failure);
    if (reason == null) {
      return false;
    }
    System.err.println("highwater cannot start: " + oneLine(reason));
    LogFactory.getLog(StartFailureReporter.class).debug("The start failed", failure);
    return true;
  }

  private @Nullable String reason(Throwable failure) {
    List<Throwable> causes =
        Stream.iterate(failure, Objects::nonNull, Throwable::getCause).toList();
    return Stream.<Function<Throwable, @Nullable String>>of(
            StartFailureReporter::ofOurs,
            StartFailureReporter::ofBinding,
            StartFailureReporter::ofValue,
            this::ofPort,
            StartFailureReporter::ofYaml)
        .flatMap(rule -> causes.stream().map(rule))
        .filter(Objects::nonNull)
        .findFirst()
        .orElseGet(() -> ofBoot(failure));
  }

  private static @Nullable String ofOurs(Throwable cause) {
    boolean ours = cause.getClass().getName().startsWith(OURS);
    boolean refused =
        cause instanceof IllegalArgumentException
            && cause.getStackTrace().length > 0
            && cause.getStackTrace()[0].getClassName().startsWith(OURS);
    return ours || refused ? cause.getMessage() : null;
  }

  private static @Nullable String ofBinding(Throwable cause) {
    if (!(cause instanceof BindException binding)) {
      return null;
    }
    var property = binding.getProperty();
    if (property == null) {
      return binding.getName() + " cannot be read as " + typeOf(binding);
    }
    return property.getName()
        + SettingOrigin.inParentheses(property.getOrigin())
        + " must be "
        + typeOf(binding)
        + (isSecret(property.getName().toString()) ? "" : ", not " + property.getValue());
  }

  private static @Nullable String ofValue(Throwable cause) {
    return cause instanceof InvalidConfigurationPropertyValueException invalid
        ? invalid.getName()
            + " cannot be "
            + (isSecret(invalid.getName()) ? "what it is" : invalid.getValue())
            + ": "
            + invalid.getReason()
        : null;
  }

  private static boolean isSecret(String name) {
    return SECRET.matcher(name).find();
  }

  private static String typeOf(BindException binding) {
    Class<?> type = binding.getTarget().getType().resolve(Object.class);
    if (type.isEnum()) {
      return "one of "
          + Stream.of(type.getEnumConstants())
              .map(
                  constant ->
                      ((Enum<?>) constant).name().toLowerCase(Locale.ROOT).replace('_', '-'))
              .collect(Collectors.joining(", "));
    }
    return switch (type.getSimpleName()) {
      case "int", "Integer", "long", "Long" -> "a whole number";
      case "double", "Double" -> "a number";
      case "boolean", "Boolean" -> "true or false";
      case "Duration" -> "a time like 500ms, 30s or 5m";
      case "DataSize" -> "a size like 64KB or 8MB";
      case "List", "Set" -> "a list";
      case "Map" -> "a map";
      case "InetAddress" -> "the address or name of a host that can be found";
      default -> type.isRecord() ? "a section of its own" : "a " + type.getSimpleName();
    };
  }

  private @Nullable String ofPort(Throwable cause) {
    if (!(cause instanceof PortInUseException taken)) {
      return null;
    }
    int port = taken.getPort();
    boolean operator =
        context != null
            && String.valueOf(port)
                .equals(context.getEnvironment().getProperty("management.server.port"));
    return "port "
        + port
        + " is taken by another program; stop that one or set "
        + (operator ? "management.server.port" : "server.port");
  }

  /** Where it is and what is wrong, without the line itself: a secret may stand in it. */
  private static @Nullable String ofYaml(Throwable cause) {
    if (!(cause instanceof MarkedYAMLException yaml)) {
      return null;
    }
    var mark = yaml.getProblemMark();
    return "a configuration file is not YAML: "
        + yaml.getProblem()
        + (mark == null
            ? ""
            : " in line " + (mark.getLine() + 1) + ", column " + (mark.getColumn() + 1));
  }

  private @Nullable String ofBoot(Throwable failure) {
    ArgumentResolver arguments = ArgumentResolver.none();
    if (context != null) {
      arguments =
          ArgumentResolver.of(BeanFactory.class, context.getBeanFactory())
              .and(Environment.class, context.getEnvironment());
    }
    return SpringFactoriesLoader.forDefaultResourceLocation(Highwater.class.getClassLoader())
        .load(FailureAnalyzer.class, arguments, FailureHandler.handleMessage((_, _) -> {}))
        .stream()
        .map(analyzer -> analyzer.analyze(failure))
        .filter(Objects::nonNull)
        .findFirst()
        .map(analysis -> analysis.getDescription())
        .orElse(null);
  }

  private static String oneLine(String reason) {
    return reason.replaceAll("\\s+", " ").strip();
  }
}
