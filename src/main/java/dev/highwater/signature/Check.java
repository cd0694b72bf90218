package dev.highwater.signature;

/**
 * One kind of signature a scheme takes.
 *
 * @param label which entries are of this kind; empty where the notation has no labels
 * @param algorithm what was done with the signed bytes
 * @param encoding how the signature is written
 * @param secret how its key is written in the configuration
 */
public record Check(String label, Algorithm algorithm, Encoding encoding, SecretForm secret) {}
