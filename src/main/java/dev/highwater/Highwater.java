package dev.highwater;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Starts the receiver. */
@SpringBootApplication
public class Highwater {
  public static void main(String[] args) {
    SpringApplication.run(Highwater.class, args);
  }
}
