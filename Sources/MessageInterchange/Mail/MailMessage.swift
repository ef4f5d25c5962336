internal import MessageModel

/// A mail as a message.
struct MailMessage {
  /// The message.
  let message: RichMessage
  /// The name of the mailing list it came by.
  let list: String?

  /// Reads a whole mail; `nil` if nothing tells its date.
  ///
  /// - Parameter envelope: The line that begins it in a mailbox, whose date is the last resort.
  init?(_ bytes: Bytes, envelope: String?, fallback: FallbackEncoding) {
    let headers = MailHeaders(bytes)
    guard let time = Self.time(headers, envelope, fallback) else { return nil }
    let body = MailBody(headers, bytes.dropping(headers.byteCount), fallback)
    let from = headers.text("from", fallback) ?? ""
    let address = Self.address(from)
    var message = RichMessage(time: time, precision: .second, sender: nil, text: body.text ?? "")
    message.sender = Self.name(from, address)
    message.details.senderID = address
    message.details.source = Message.Source(
      platform: "mail", id: Self.ids(headers.text("message-id", fallback)).first)
    let answered = Self.ids(headers.text("in-reply-to", fallback)).first
    let references = Self.ids(headers.text("references", fallback))
    message.details.replyTo = (answered ?? references.last).map { .external($0) }
    message.details.thread = (references.first ?? answered).map { .external($0) }
    message.details.attachments = body.attachments
    self.message = message
    list = headers.text("list-id", fallback).map(Self.listName)
  }

  private static func time(_ headers: MailHeaders, _ envelope: String?, _ fallback: FallbackEncoding)
    -> Timestamp?
  {
    if let date = headers.text("date", fallback).flatMap(MailDate.read) { return date }
    for received in headers.all("received") {
      let date = received.lastIndex(of: ";").map { received[received.index(after: $0)...] }
      if let date, let time = MailDate.read(String(date)) { return time }
    }
    // `From address date`
    return envelope.flatMap { MailDate.read($0.split(separator: " ").dropFirst(2).joined(separator: " ")) }
  }

  private static func address(_ from: String) -> String? {
    guard let open = from.lastIndex(of: "<"), let close = from[open...].firstIndex(of: ">") else {
      let bare = from.prefix { $0 != "(" }
      return bare.contains("@") ? String(bare).trimming { $0 == " " } : nil
    }
    return String(from[from.index(after: open)..<close])
  }

  private static func name(_ from: String, _ address: String?) -> String? {
    let before = from.prefix { $0 != "<" }
    if let open = from.firstIndex(of: "("), let close = from.lastIndex(of: ")"), open < close,
      !from.contains("<")
    {
      return String(from[from.index(after: open)..<close])
    }
    let name = String(before).trimming { " \t\"'".contains($0) }
    if name.isEmpty || name == address { return address }
    return name
  }

  /// The parts of a field between `<` and `>`.
  private static func ids(_ field: String?) -> [String] {
    field?.split(separator: "<").compactMap { part in
      part.firstIndex(of: ">").map { String(part[..<$0]) }
    } ?? []
  }

  /// `Tea lovers <tea.example.org>` is `Tea lovers`, else `tea.example.org`.
  private static func listName(_ field: String) -> String {
    let name = String(field.prefix { $0 != "<" }).trimming { " \"".contains($0) }
    return name.isEmpty ? ids(field).first ?? field : name
  }
}
