package dev.highwater.queue;

/**
 * Ends the process. Called when a thread without which no promise can be kept has died: a killed
 * process loses nothing that was acked and is started again, a half-dead one answers nobody.
 */
@FunctionalInterface
public interface ProcessDeath {
  /**
   * Ends the process; does not return, except in tests.
   *
   * @param thread the name of what died
   */
  void die(String thread, Throwable cause);
}
