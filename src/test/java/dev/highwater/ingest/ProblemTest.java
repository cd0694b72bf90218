package dev.highwater.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.highwater.hook.Answer;
import dev.highwater.hook.ErrorCode;
import dev.highwater.signature.FailureReason;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.mock.web.MockHttpServletResponse;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ProblemTest {
  private MockHttpServletResponse response = new MockHttpServletResponse();

  private JsonNode documentOf(Problem problem) throws IOException {
    response = new MockHttpServletResponse();
    problem.writeTo(response);
    assertThat(response.getContentType()).isEqualTo("application/problem+json");
    assertThat(response.getContentLength()).isEqualTo(response.getContentAsByteArray().length);
    return JsonMapper.shared().readTree(response.getContentAsByteArray());
  }

  @ParameterizedTest
  @EnumSource(ErrorCode.class)
  void everyCodeIsAWholeDocument(ErrorCode code) throws IOException {
    JsonNode document = documentOf(Problem.of(code));
    assertThat(document.path("type").asString()).isEqualTo("urn:highwater:problem:" + code.code());
    assertThat(document.path("code").asString()).isEqualTo(code.code());
    assertThat(document.path("status").asInt()).isEqualTo(code.status());
    assertThat(document.path("title").asString()).isEqualTo(code.title());
    assertThat(document.path("detail").asString()).isNotBlank();
    assertThat(response.getStatus()).isEqualTo(code.status());
  }

  @ParameterizedTest
  @EnumSource(ErrorCode.class)
  void noCodeSendsAwayForGoodAndTroubleOfOursSaysWhenToComeBack(ErrorCode code) throws IOException {
    documentOf(Problem.of(code));
    assertThat(response.getStatus()).isNotIn(406, 410, 500).isGreaterThanOrEqualTo(400);
    boolean later = code.status() == 503 || code.status() == 429;
    assertThat(response.getHeader("Retry-After")).isEqualTo(later ? "1" : null);
  }

  @ParameterizedTest
  @CsvSource({"0, 1", "1, 1", "999, 1", "1000, 1", "1001, 2", "120000, 120"})
  void retryAfterIsInWholeSecondsRoundedUpAndAtLeastOne(long millis, String header)
      throws IOException {
    documentOf(Problem.of(new Answer.Refused(ErrorCode.OVERLOAD, Duration.ofMillis(millis))));
    assertThat(response.getHeader("Retry-After")).isEqualTo(header);
  }

  @Test
  void particularsAreMembersAndHeaders() throws IOException {
    assertThat(documentOf(Problem.tooLarge(8_388_608)).path("limit").asLong()).isEqualTo(8_388_608);
    for (FailureReason reason : FailureReason.values()) {
      assertThat(documentOf(Problem.unverified(reason)).path("reason").asString())
          .isEqualTo(reason.code());
    }
    documentOf(Problem.methodNotAllowed(List.of("PUT", "POST")));
    assertThat(response.getHeader("Allow")).isEqualTo("POST, PUT");
  }
}
