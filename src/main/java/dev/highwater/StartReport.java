package dev.highwater;

import dev.highwater.hook.SourceRef;
import dev.highwater.source.Source;
import dev.highwater.source.SourceDirectory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;

/** Tells whoever started the program where to post, where to look, and what an answer is worth. */
@Component
final class StartReport {
  private static final Logger log = LoggerFactory.getLogger(StartReport.class);
  private static final int SHOWN = 5;

  private final SourceDirectory sources;
  private final Environment environment;

  StartReport(SourceDirectory sources, Environment environment) {
    this.sources = sources;
    this.environment = environment;
  }

  @EventListener
  void onReady(ApplicationReadyEvent event) {
    lines().forEach(log::info);
    warnings().forEach(log::warn);
  }

  List<String> lines() {
    Collection<Source> all = sources.all();
    String hooks = base("server.address", "local.server.port", "server.port", "8080");
    List<String> lines = new ArrayList<>();
    all.stream().limit(SHOWN).map(source -> "Post to " + hooks + path(source)).forEach(lines::add);
    if (all.size() > SHOWN) {
      lines.add("… and to " + (all.size() - SHOWN) + " more sources");
    } else if (all.isEmpty()) {
      lines.add("No source is configured yet: every hook is answered 404");
    }
    lines.add(
        "Operators: "
            + base(
                "management.server.address",
                "local.management.port",
                "management.server.port",
                "8081")
            + "/actuator/health");
    lines.add(
        "Each 201 is sent after fdatasync of the write-ahead log in "
            + Path.of(environment.getRequiredProperty("highwater.data-dir"))
                .toAbsolutePath()
                .normalize()
            + ": it survives a killed process, and a power cut if the disk honours flushes");
    return lines;
  }

  List<String> warnings() {
    return sources.all().stream()
        .filter(source -> source.type().equals("none"))
        .map(
            source ->
                "Source " + source.ref() + " verifies nothing: whoever reaches it is believed")
        .toList();
  }

  private static String path(Source source) {
    String tenant = source.ref().tenant();
    return "/webhooks/"
        + (tenant.equals(SourceRef.DEFAULT_TENANT) ? "" : tenant + "/")
        + source.ref().name();
  }

  /** The running port where there is one, the configured one otherwise. */
  private String base(String address, String running, String configured, String usual) {
    String host = environment.getProperty(address, "localhost");
    String port = environment.getProperty(running, environment.getProperty(configured, usual));
    return "http://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
  }
}
