internal import MessageModel

struct MailMessage {
  let message: RichMessage
  let list: String?

  /// `nil` if the mail has no date.
  ///
  /// - Parameters:
  ///   - envelope: The time in the mailbox's `From ` line, the last resort.
  ///   - neighbours: The preceding mails, which rule out wrong years.
  init?(_ bytes: Bytes, envelope: Timestamp?, neighbours: MailNeighbours, fallback: FallbackEncoding) {
    let headers = MailHeaders(bytes)
    let id = Self.ids(headers.text("message-id", fallback)).first
    let claims = Self.times(headers, envelope, fallback)
    let isOwn = id?.hasSuffix(MailboxExport.idSuffix) == true
    guard let time = isOwn ? claims.first : neighbours.best(of: claims) else { return nil }
    let body = MailBody(headers, bytes.dropping(headers.byteCount), fallback)
    let from = MailAddress(headers.undecoded("from", fallback) ?? "", fallback)
    var message = RichMessage(time: time, precision: .second, sender: nil, text: body.text ?? "")
    message.sender = from.name
    message.details.senderID = from.address
    message.details.source = Message.Source(platform: "mail", id: id)
    // Some programs put a mail's own id among its references.
    let answered = Self.ids(headers.text("in-reply-to", fallback)).first { $0 != id }
    let references = Self.ids(headers.text("references", fallback)).filter { $0 != id }
    message.details.replyTo = (answered ?? references.last).map { .external($0) }
    message.details.thread = (references.first ?? answered).map { .external($0) }
    message.details.attachments = body.attachments
    self.message = message
    list = headers.text("list-id", fallback).map(Self.listName)
  }

  private static func times(
    _ headers: MailHeaders, _ envelope: Timestamp?, _ fallback: FallbackEncoding
  ) -> [Timestamp] {
    let date = headers.text("date", fallback).flatMap(MailDate.read)
    let received = headers.all("received").compactMap { field in
      field.lastIndex(of: ";").flatMap { MailDate.read(String(field[field.index(after: $0)...])) }
    }
    return [date].compactMap(\.self) + received + [envelope].compactMap(\.self)
  }

  private static func ids(_ field: String?) -> [String] {
    field?.split(separator: "<").compactMap { part in
      part.firstIndex(of: ">").map { String(part[..<$0]) }
    } ?? []
  }

  /// `Tea lovers` of `Tea lovers <tea.example.org>`, or else `tea.example.org`.
  private static func listName(_ field: String) -> String {
    let name = String(field.prefix { $0 != "<" }).trimming { " \"".contains($0) }
    return name.isEmpty ? ids(field).first ?? field : name
  }
}
