package dev.highwater.hook;

/**
 * Which source of which tenant. The two names are what stands in the URL and in the configuration.
 *
 * @param tenant a {@linkplain #isName name}
 * @param name a {@linkplain #isName name}
 */
public record SourceRef(String tenant, String name) {
  /** The tenant of sources that name none. */
  public static final String DEFAULT_TENANT = "default";

  private static final int LONGEST = 63;

  public SourceRef {
    if (!isName(tenant)) {
      throw new IllegalArgumentException("\"" + tenant + "\" is not a tenant name: " + RULE);
    }
    if (!isName(name)) {
      throw new IllegalArgumentException("\"" + name + "\" is not a source name: " + RULE);
    }
  }

  /** What a name must look like, for error messages. */
  public static final String RULE =
      "use 1 to 63 of a-z, 0-9 and '-', with a letter or digit first and last";

  /** A source of the tenant {@value #DEFAULT_TENANT}. */
  public static SourceRef of(String name) {
    return new SourceRef(DEFAULT_TENANT, name);
  }

  /** Whether {@code text} can name a tenant, a source or a sink; constant memory, linear time. */
  public static boolean isName(CharSequence text) {
    int length = text.length();
    if (length == 0
        || length > LONGEST
        || text.charAt(0) == '-'
        || text.charAt(length - 1) == '-') {
      return false;
    }
    for (int i = 0; i < length; i++) {
      char c = text.charAt(i);
      boolean legal = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
      if (!legal) {
        return false;
      }
    }
    return true;
  }

  @Override
  public String toString() {
    return tenant + "/" + name;
  }
}
