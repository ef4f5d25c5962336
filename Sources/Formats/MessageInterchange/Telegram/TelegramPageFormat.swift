/// Telegram Desktop's HTML export, a page per thousand messages of a chat.
struct TelegramPageFormat: ImportFormat {
  let name = "telegram-html"
  let title = "Telegram's HTML export"

  func score(_ sample: FormatSample) -> Int {
    guard sample.firstSign == UInt8(ascii: "<"), Self.isOfTelegram(sample) else { return 0 }
    return sample.holds("class=\"history\"") ? 94 : 0
  }

  private static func isOfTelegram(_ sample: FormatSample) -> Bool {
    sample.has("class=\"page_wrap") && sample.has("class=\"page_header")
  }

  func makeReader(for file: InputFile, options: ImportOptions) -> any HistoryReader {
    TelegramPageReader(file: file, options: options)
  }

  func companion(of sample: FormatSample, beside files: Companions) -> String? {
    if Self.isCompanion(sample, files) { return "Telegram's export" }
    guard !sample.isFormatNamed, Self.isRepeated(sample, files) else { return nil }
    return "the result.json beside it, which says the same more exactly"
  }

  private static func isCompanion(_ sample: FormatSample, _ companions: Companions) -> Bool {
    let folder = sample.folder
    if sample.name.hasSuffix(".html") {
      return isOfTelegram(sample) && !sample.holds("class=\"history\"")
    }
    guard let last = folder.last, ["css", "js"].contains(last) else { return false }
    return ["messages.html", "export_results.html"].contains {
      companions.has($0, in: Array(folder.dropLast()))
    }
  }

  /// Whether the export also contains the page's messages as JSON.
  private static func isRepeated(_ sample: FormatSample, _ companions: Companions) -> Bool {
    guard sample.name.hasPrefix("messages"), sample.name.hasSuffix(".html"), isOfTelegram(sample) else {
      return false
    }
    let folder = sample.folder
    let above = folder.count >= 2 && folder[folder.count - 2] == "chats" ? Array(folder.dropLast(2)) : folder
    return companions.has("result.json", in: above)
  }
}
