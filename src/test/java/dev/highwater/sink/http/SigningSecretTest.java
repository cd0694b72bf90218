package dev.highwater.sink.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SigningSecretTest {
  @Test
  void signsTheVectorThatStandardWebhooksPublishes() {
    assertThat(
            SigningSecret.parse("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
                .sign(
                    "msg_p5jXN8AQM9LWM0D4loKWxJek",
                    "1614265330",
                    "{\"test\": 2432232314}".getBytes(UTF_8)))
        .isEqualTo("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
  }

  @Test
  void textWithoutThePrefixIsTheKeyItself() {
    byte[] body = {0, 1, 2};
    assertThat(SigningSecret.parse("secret").sign("id", "1", body))
        .isEqualTo(SigningSecret.parse("whsec_c2VjcmV0").sign("id", "1", body));
  }

  @Test
  void itsTextIsNotTheSecret() {
    assertThat(SigningSecret.parse("canary").toString()).doesNotContain("canary");
  }
}
