package dev.highwater.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.TestPropertySource;

/** Who is let in, and how much of them. */
class AdmissionTest {
  private static final String SIGNED = "X-Signature: good\r\n";
  private static final String FORGED = "X-Signature: bad\r\n";

  @Nested
  @DirtiesContext
  class WithoutAProxy extends PublicPortFixture {
    @Test
    void anAddressThatIsNotOnTheListIsRefusedUnread() throws IOException {
      try (Wire wire = connect()) {
        wire.send(
            String.join(
                "\r\n",
                "POST /webhooks/walled HTTP/1.1",
                "Host: h",
                "Content-Length: 5",
                "Expect: 100-continue",
                "",
                ""));
        assertProblem(wire.read(), 403, "client_refused");
      }
      assertThat(queue.submitted).isEmpty();
    }

    @Test
    void nobodyTalksOneselfOntoTheList() throws IOException {
      try (Wire wire = connect()) {
        wire.post("/webhooks/walled", "X-Forwarded-For: 203.0.113.7\r\n", "hello");
        assertProblem(wire.read(), 403, "client_refused");
      }
    }

    @Test
    void aboveTheRateAHookIsRefusedAndForgeriesDoNotSpendIt() throws IOException {
      for (int i = 0; i < 20; i++) {
        try (Wire wire = connect()) {
          assertThat(wire.post("/webhooks/limited", FORGED, "x").read().status()).isEqualTo(401);
        }
      }
      try (Wire wire = connect()) {
        assertThat(wire.post("/webhooks/limited", SIGNED, "1").read().status()).isEqualTo(201);
        assertThat(wire.post("/webhooks/limited", SIGNED, "2").read().status()).isEqualTo(201);
        Wire.Response refused = wire.post("/webhooks/limited", SIGNED, "3").read();
        assertProblem(refused, 429, "rate_limited");
        assertThat(refused.header("retry-after")).isEqualTo("1");
        assertThat(wire.post("/webhooks/open", "", "x").read().status()).isEqualTo(201);
      }
      assertThat(queue.submitted).hasSize(3);
    }
  }

  @Nested
  @DirtiesContext
  @TestPropertySource(properties = "highwater.intake.trusted-proxies=127.0.0.0/8,::1")
  class BehindAProxy extends PublicPortFixture {
    @Test
    void whoTheProxyNamesIsTheClient() throws IOException {
      try (Wire wire = connect()) {
        String client = "X-Forwarded-For: 198.51.100.1, 203.0.113.7\r\n";
        assertThat(wire.post("/webhooks/walled", client, "x").read().status()).isEqualTo(201);
      }
      assertThat(queue.only().client()).isEqualTo("203.0.113.7");
    }

    @Test
    void whoTheProxyNamesUnreadablyIsOnNoList() throws IOException {
      try (Wire wire = connect()) {
        String client = "X-Forwarded-For: 203.0.113.7, unknown\r\n";
        assertProblem(wire.post("/webhooks/walled", client, "x").read(), 403, "client_refused");
      }
    }

    @Test
    void eachClientHasARateOfItsOwn() throws IOException {
      try (Wire wire = connect()) {
        for (String client : new String[] {"203.0.113.7", "203.0.113.8", "2001:db8::1"}) {
          String from = SIGNED + "X-Forwarded-For: " + client + "\r\n";
          assertThat(wire.post("/webhooks/limited-clients", from, "1").read().status())
              .isEqualTo(201);
          assertThat(wire.post("/webhooks/limited-clients", from, "2").read().status())
              .isEqualTo(201);
          assertProblem(
              wire.post("/webhooks/limited-clients", from, "3").read(), 429, "rate_limited");
        }
      }
    }
  }
}
