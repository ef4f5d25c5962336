extension PriceTable {
  /// The prices that the makers publish, each with the day on which it was read and the page.
  package static let builtIn: PriceTable = {
    // The text is constant, and a test reads it.
    (try? PriceTable(reading: builtInText, from: "built-in prices")) ?? PriceTable()
  }()

  /// Dollars per million tokens of standard requests with short prompts; writes to a cache are those for five
  /// minutes. Columns: model, input, output, read from a cache, written to a cache, day, page.
  static let builtInText = """
    claude-fable-5-1      10    50    0.25   12.50  2026-09-12  https://platform.claude.com/docs/en/about-claude/pricing
    claude-fable-5        10    50    1      12.50  2026-09-12  https://platform.claude.com/docs/en/about-claude/pricing
    claude-opus-5-5       4     20    0.20   5      2026-10-08  https://platform.claude.com/docs/en/about-claude/pricing
    claude-opus-5         5     25    0.50   6.25   2026-09-12  https://platform.claude.com/docs/en/about-claude/pricing
    claude-opus-4-8       5     25    0.50   6.25   2026-09-12  https://platform.claude.com/docs/en/about-claude/pricing
    claude-opus-4-7       5     25    0.50   6.25   2026-09-12  https://platform.claude.com/docs/en/about-claude/pricing
    claude-opus-4-6       5     25    0.50   6.25   2026-09-12  https://platform.claude.com/docs/en/about-claude/pricing
    claude-opus-4-5       5     25    0.50   6.25   2026-09-12  https://platform.claude.com/docs/en/about-claude/pricing
    claude-opus-4-1       15    75    1.50   18.75  2026-09-12  https://platform.claude.com/docs/en/about-claude/pricing
    claude-opus-4         15    75    1.50   18.75  2026-10-08  https://platform.claude.com/docs/en/about-claude/pricing
    claude-sonnet-5-5     2     10    0.10   2.50   2026-10-08  https://platform.claude.com/docs/en/about-claude/pricing
    claude-sonnet-5       2     10    0.20   2.50   2026-10-08  https://platform.claude.com/docs/en/about-claude/pricing
    claude-sonnet-4-6     3     15    0.30   3.75   2026-10-08  https://platform.claude.com/docs/en/about-claude/pricing
    claude-sonnet-4-5     3     15    0.30   3.75   2026-03-21  https://platform.claude.com/docs/en/about-claude/pricing
    claude-sonnet-4       3     15    0.30   3.75   2026-03-21  https://platform.claude.com/docs/en/about-claude/pricing
    claude-3-7-sonnet     3     15    0.30   3.75   2026-03-21  https://platform.claude.com/docs/en/about-claude/pricing
    claude-haiku-5-5      0.10  0.50  0.01   0.125  2026-10-08  https://platform.claude.com/docs/en/about-claude/pricing
    claude-haiku-4-5      1     5     0.10   1.25   2026-10-08  https://platform.claude.com/docs/en/about-claude/pricing
    claude-3-5-haiku      0.80  4     0.08   1      2026-10-08  https://platform.claude.com/docs/en/about-claude/pricing
    gpt-6-astra           10    50    1      -      2026-10-05  https://developers.openai.com/api/docs/pricing
    gpt-6.1-sol           2     10    0.10   -      2026-10-05  https://developers.openai.com/api/docs/pricing
    gpt-6-sol             2     10    0.20   -      2026-10-05  https://developers.openai.com/api/docs/pricing
    gpt-6-luna            0.10  0.50  0.01   0.125  2026-10-08  https://developers.openai.com/api/docs/models/gpt-6-luna
    gpt-5.6-sol           4     20    0.40   -      2026-10-05  https://developers.openai.com/api/docs/pricing
    gpt-5.6-terra         2     12    0.20   -      2026-10-05  https://developers.openai.com/api/docs/pricing
    gpt-5.6-luna          0.20  1.20  0.02   -      2026-10-05  https://developers.openai.com/api/docs/pricing
    gpt-5.5               5     30    0.50   -      2026-10-05  https://developers.openai.com/api/docs/pricing
    gpt-5.4               2.50  15    0.25   -      2026-10-05  https://developers.openai.com/api/docs/pricing
    gpt-5.4-mini          0.75  4.50  0.075  -      2026-10-05  https://developers.openai.com/api/docs/pricing
    gpt-5.4-nano          0.20  1.25  0.02   -      2026-10-05  https://developers.openai.com/api/docs/pricing
    gpt-5.3-codex         1.75  14    0.175  -      2026-10-05  https://developers.openai.com/api/docs/pricing
    gpt-5.2-codex         1.75  14    0.175  -      2026-10-05  https://developers.openai.com/api/docs/models/gpt-5.2-codex
    gpt-5.1-codex         1.25  10    0.125  -      2026-10-05  https://developers.openai.com/api/docs/models/gpt-5.1-codex
    gpt-5.1-codex-max     1.25  10    0.125  -      2026-10-05  https://developers.openai.com/api/docs/models/gpt-5.1-codex-max
    gpt-5-codex           1.25  10    0.125  -      2026-11-29  https://developers.openai.com/api/docs/models/gpt-5-codex
    gpt-5.2               1.75  14    0.175  -      2026-10-05  https://developers.openai.com/api/docs/pricing
    gpt-5.1               1.25  10    0.125  -      2026-10-05  https://developers.openai.com/api/docs/pricing
    gpt-5                 1.25  10    0.125  -      2026-10-05  https://developers.openai.com/api/docs/pricing
    gpt-5-mini            0.25  2     0.025  -      2026-10-05  https://developers.openai.com/api/docs/pricing
    gpt-5-nano            0.05  0.40  0.005  -      2026-10-05  https://developers.openai.com/api/docs/pricing
    gpt-4.1               2     8     0.50   -      2026-10-05  https://developers.openai.com/api/docs/pricing
    gpt-4.1-mini          0.40  1.60  0.10   -      2026-10-05  https://developers.openai.com/api/docs/pricing
    gpt-4.1-nano          0.10  0.40  0.025  -      2026-10-05  https://developers.openai.com/api/docs/pricing
    gemini-3.1-pro-preview  2     12    0.20   -    2026-09-23  https://ai.google.dev/gemini-api/docs/pricing
    gemini-3-flash-preview  0.50  3     0.05   -    2026-09-23  https://ai.google.dev/gemini-api/docs/pricing
    gemini-2.5-pro          1.25  10    0.125  -    2026-09-23  https://ai.google.dev/gemini-api/docs/pricing
    gemini-2.5-flash        0.30  2.50  0.03   -    2026-09-23  https://ai.google.dev/gemini-api/docs/pricing
    gemini-2.5-flash-lite   0.10  0.40  0.01   -    2026-09-23  https://ai.google.dev/gemini-api/docs/pricing
    """
}
