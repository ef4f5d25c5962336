internal import Foundation
internal import MessageModel

/// The page of a mail in the archive of a mailing list by Pipermail, Mailman 2's archiver.
/// A page has what the month's text archive (`2013-June.txt`) has of a mail, but for the mail that it answers.
struct PipermailPageReader: HistoryReader {
  private static let longest = 16 << 20

  private let options: ImportOptions
  private let source: ByteSource
  private let conversation: String

  init(file: InputFile, options: ImportOptions) {
    self.options = options
    source = file.source
    // `tea/2013-June/000123.html`
    let folders = file.folder.isEmpty ? file.components : file.folder
    conversation = options.conversation ?? PathNames(folders).conversation
  }

  mutating func read(into sink: inout RecordSink) throws(InterchangeError) -> Bool {
    let bytes = try source.peek(Self.longest)
    if let message = message(bytes) {
      sink.append(message, conversation: sink.conversation(named: conversation))
    } else {
      sink.skip(offset: 0, reason: "it has no date", record: bytes)
    }
    source.consume(bytes.count)
    return false
  }

  private func message(_ bytes: Bytes) -> RichMessage? {
    var page = Charset.string(Array(bytes), Self.charset(of: bytes), options.fallbackEncoding)
    return page.withUTF8 { page in
      let part = HTMLPart(Bytes(page))
      guard let start = part.bytes.position(of: "<!--beginarticle-->") else { return nil }
      let head = HTMLPart(part.bytes.first(start))
      guard let date = head.element(named: "<I"), let time = MailDate.read(date.text) else { return nil }
      let body = HTMLPart(part.bytes.dropping(start)).element(named: "<PRE")?.html ?? ""
      // Addresses of mails lead to the page of the list.
      let words = HTMLText.plain(body, showsLinks: false)
      var message = RichMessage(time: time, precision: .second, text: words)
      let author = head.element(named: "<B")
      let from = head.element(named: "<A", from: author?.range.upperBound ?? 0)
      let address = MailAddress(
        "\(from?.text ?? "") (\(author?.text ?? ""))", options.fallbackEncoding)
      message.sender = address.name
      message.details.senderID = address.address
      message.details.source = Message.Source(
        platform: "mail", id: from.flatMap { Self.id(in: $0.tag) },
        original: options.keepsOriginal ? part.html : nil)
      message.details.isNeverEdited = true
      message.word = "no content"
      return message
    }
  }

  private static func charset(of bytes: Bytes) -> String? {
    guard let found = bytes.first(min(bytes.count, 4_096)).position(of: "charset=") else { return nil }
    return Bytes(rebasing: bytes[(found + 8)...].prefix { $0 > 0x20 && $0 != UInt8(ascii: "\"") }).string
  }

  /// The mail's id, which the link for replies has: `mailto:…&In-Reply-To=%3CID%3E`.
  private static func id(in link: Bytes) -> String? {
    guard let address = HTMLText.attribute("HREF=", of: link),
      let found = address.firstRange(of: "In-Reply-To=")
    else { return nil }
    let written = HTMLText.plain(String(address[found.upperBound...]))
    let id = (written.removingPercentEncoding ?? written).trimming { "<> ".contains($0) }
    return id.isEmpty ? nil : id
  }
}
