internal import Foundation
internal import MessageModel

/// Writes a mailbox (mboxrd), a mail per message.
///
/// Names cannot add header fields: anything but plain ASCII becomes encoded words. A forwarded message is a mail that
/// contains a mail: the one within has the author, and the line that shows the origin as its subject.
public struct MailboxExport: ExportFormat {
  static let idSuffix = "@scrollback.invalid"
  /// Stands for an unknown address; a mail must have one.
  static let noAddress = "scrollback@localhost"

  /// Creates a writer.
  public init() {}

  public mutating func write(_ record: ExportRecord, to bytes: inout [UInt8]) {
    let record = record.withVisibleDeletion
    let civil = record.time.utc
    bytes.append("From \(Self.noAddress) \(Self.envelopeDate(civil))\n")
    bytes.append("From: \(Self.word(record.sender ?? record.kind.name)) <\(Self.noAddress)>\n")
    bytes.append("Date: \(Self.date(civil))\n")
    bytes.append("Message-ID: <\(record.id)\(Self.idSuffix)>\n")
    if let reply = record.replyTo { bytes.append("In-Reply-To: <\(reply)\(Self.idSuffix)>\n") }
    if let thread = record.thread { bytes.append("References: <\(thread)\(Self.idSuffix)>\n") }
    bytes.append("Subject: \(record.forward == nil ? "" : "Fwd: ")\(Self.word(record.conversation))\n")
    bytes.append("List-Id: \(Self.word(record.conversation)) <scrollback.invalid>\n")
    if record.kind != .text { bytes.append("X-Scrollback-Kind: \(record.kind.name)\n") }
    bytes.append("MIME-Version: 1.0\n")
    // A quoted text says itself which of its words were forwarded.
    if let forward = record.forward, !forward.isQuoted { Self.writeHeaders(of: forward, to: &bytes) }
    bytes.append("Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n")
    Self.writeBody(record.text, to: &bytes)
    bytes.append("\n\n")
  }

  /// Writes the end of the mail's headers, and those of the mail within but for its content.
  private static func writeHeaders(of forward: Message.Forward, to bytes: inout [UInt8]) {
    bytes.append("Content-Type: message/rfc822\nContent-Transfer-Encoding: 8bit\n\n")
    if let author = forward.author {
      let address = forward.authorID.flatMap { isAddress($0) ? $0 : nil } ?? noAddress
      bytes.append("From: \(word(author)) <\(address)>\n")
    }
    if let time = forward.time { bytes.append("Date: \(date(time.utc))\n") }
    bytes.append("Subject: \(word(forward.line))\n")
    if let chat = forward.chat { bytes.append("List-Id: \(word(chat)) <scrollback.invalid>\n") }
    if forward.isFrequent { bytes.append("X-Scrollback-Forwarded: many times\n") }
    bytes.append("MIME-Version: 1.0\n")
  }

  /// Whether it may stand between angle brackets: ids of other platforms than mail rarely may.
  private static func isAddress(_ id: String) -> Bool {
    id.utf8.count < 200 && id.dropFirst().dropLast().contains("@")
      && id.utf8.allSatisfy { (0x21...0x7E).contains($0) && !"()<>,;:\\\"[]".utf8.contains($0) }
  }

  private static func writeBody(_ text: String, to bytes: inout [UInt8]) {
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      if index > 0 { bytes.append("\n") }
      if line.drop(while: { $0 == ">" }).hasPrefix("From ") { bytes.append(">") }
      bytes.append(String(line))
    }
  }

  private static func envelopeDate(_ civil: CivilTime) -> String {
    "\(days[civil.weekday]) \(months[civil.month - 1]) \(padded(civil.day, " ")) \(clock(civil)) \(year(civil))"
  }

  private static func date(_ civil: CivilTime) -> String {
    "\(days[civil.weekday]), \(padded(civil.day, "0")) \(months[civil.month - 1]) \(year(civil)) \(clock(civil)) +0000"
  }

  /// At least four digits. Years before 1000, which mails do not have, get a sign and six, as in ISO 8601.
  private static func year(_ civil: CivilTime) -> String {
    guard civil.year < 1_000 else { return String(civil.year) }
    let digits = String(abs(civil.year))
    return (civil.year < 0 ? "-" : "+") + String(repeating: "0", count: 6 - digits.count) + digits
  }

  private static func clock(_ civil: CivilTime) -> String {
    [civil.hour, civil.minute, civil.second].map { padded($0, "0") }.joined(separator: ":")
  }

  private static func padded(_ number: Int, _ mark: String) -> String {
    number < 10 ? mark + "\(number)" : "\(number)"
  }

  private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  private static func word(_ name: String) -> String {
    let isPlain = name.utf8.allSatisfy { byte in
      (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) || byte == 0x20 || byte == 0x2D
        || byte == 0x23
    }
    if isPlain, !name.isEmpty, name.utf8.count < 60 { return name }
    var words: [String] = []
    var rest = name.unicodeScalars[...]
    repeat {
      var chunk: [UInt8] = []
      while let scalar = rest.first, chunk.count < 40 {
        chunk.append(contentsOf: String(scalar).utf8)
        rest.removeFirst()
      }
      words.append("=?utf-8?B?\(Data(chunk).base64EncodedString())?=")
    } while !rest.isEmpty
    return words.joined(separator: "\n ")
  }
}
