/// DiscordChatExporter's CSV. It has no ids, so it does not match messages imported from JSON or HTML.
///
/// Until 2019 cells were separated by semicolons and senders had no ids.
struct DiscordTableFormat: ImportFormat {
  let name = "discord-csv"
  let title = "Discord, as DiscordChatExporter exports it in CSV"

  func score(_ sample: FormatSample) -> Int {
    guard let first = sample.lines.first, let separator = Self.separator(of: first) else { return 0 }
    let names = String(decoding: first, as: UTF8.self).replacing("\"", with: "")
      .split(separator: Character(Unicode.Scalar(separator))).map(String.init)
    let own = names.first == "AuthorID" ? names.dropFirst() : names[...]
    return own.starts(with: ["Author", "Date", "Content", "Attachments"]) ? 95 : 0
  }

  func makeReader(for file: InputFile, options: ImportOptions) -> any HistoryReader {
    let first = (try? FormatSample(file))?.lines.first
    return DiscordTableReader(
      file: file, separator: first.flatMap(Self.separator) ?? UInt8(ascii: ","), options: options)
  }

  private static func separator(of header: ArraySlice<UInt8>) -> UInt8? {
    header.first { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: ";") }
  }
}
