package dev.highwater;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.servlet.autoconfigure.HttpEncodingAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.WebMvcObservationAutoConfiguration;

/** Starts the receiver. */
// The hook path has meters of its own; the stock observation of each request and the filter that
// sets an encoding nobody uses had a twelfth of the samples in a profile of it.
@SpringBootApplication(
    exclude = {WebMvcObservationAutoConfiguration.class, HttpEncodingAutoConfiguration.class})
public class Highwater {
  /**
   * Runs until the process is told to stop. A start that fails has said why ({@link
   * StartFailureReporter}) and ends the process with status 1, also when a thread of a room that
   * had already started is still alive.
   */
  public static void main(String[] args) {
    try {
      SpringApplication.run(Highwater.class, args);
    } catch (SpringApplication.AbandonedRunException e) {
      throw e; // a tool that only wanted the context prepared
    } catch (RuntimeException | Error e) {
      System.exit(1);
    }
  }
}
