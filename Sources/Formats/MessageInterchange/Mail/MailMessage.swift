internal import MessageModel

struct MailMessage {
  let message: RichMessage
  let list: String?

  /// `nil` if the mail has no date. `envelope` is the time in the mailbox's `From ` line, the last resort;
  /// `neighbours` are the preceding mails, which rule out wrong years.
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
    message.details.isNeverEdited = true
    // Some programs put a mail's own id among its references.
    let answered = Self.ids(headers.text("in-reply-to", fallback)).first { $0 != id }
    let references = Self.ids(headers.text("references", fallback)).filter { $0 != id }
    message.details.replyTo = (answered ?? references.last).map { .external($0) }
    message.details.thread = (references.first ?? answered).map { .external($0) }
    message.details.attachments = body.attachments
    message.details.forward = MailForward.origin(
      in: message.text, subject: headers.text("subject", fallback) ?? "", fallback)
    for part in body.forwards { message.addForwarded(part.text, from: part.origin) }
    self.message = message
    list = Self.list(in: headers, fallback)
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

  /// `Tea lovers` of `Tea lovers <tea.example.org>`, or else `tea.example.org`
  /// (<https://www.rfc-editor.org/rfc/rfc2919>, 3).
  fileprivate static func list(in headers: MailHeaders, _ fallback: FallbackEncoding) -> String? {
    // Encoded words are decoded last: their content is text, even if it looks like syntax.
    guard let field = headers.undecoded("list-id", fallback) else { return nil }
    let id = field.lastIndex(of: "<") ?? field.endIndex
    var phrase = String(field[..<id]).trimming(\.isWhitespace)
    if phrase.count > 1, phrase.first == "\"", phrase.last == "\"" {
      phrase = String(phrase.dropFirst().dropLast())
    }
    let name = MailWords.decoded(phrase.replacing("\\\"", with: "\""), fallback)
    return name.isEmpty ? ids(String(field[id...])).first ?? field : name
  }
}

struct MailBody {
  private(set) var text: String?
  private(set) var attachments: [Message.Attachment] = []
  /// Whole mails among the parts.
  private(set) var forwards: [(text: String, origin: Message.Forward)] = []
  private var html: String?

  private let fallback: FallbackEncoding
  private static let deepestNesting = 16

  init(_ headers: MailHeaders, _ body: Bytes, _ fallback: FallbackEncoding, depth: Int = 0) {
    self.fallback = fallback
    read(headers, body, depth: depth)
    if text == nil { text = html.map { HTMLText.plain($0) } }
  }

  private mutating func read(_ headers: MailHeaders, _ body: Bytes, depth: Int) {
    let type = MailParameters(headers.text("content-type", fallback) ?? "text/plain")
    if type.value.hasPrefix("multipart/"), let boundary = type["boundary"], depth < Self.deepestNesting {
      for part in Self.parts(of: body, boundary) {
        let partHeaders = MailHeaders(part)
        read(partHeaders, part.dropping(partHeaders.byteCount), depth: depth + 1)
      }
      return
    }
    let disposition = MailParameters(headers.text("content-disposition", fallback) ?? "")
    let encoding = headers.text("content-transfer-encoding", fallback) ?? ""
    let fileName = disposition["filename"] ?? type["name"]
    if disposition.value == "attachment" || fileName != nil || !type.value.hasPrefix("text/") {
      if type.value == "message/rfc822" {
        TransferEncoding.decoded(body, encoding).withUnsafeBytes { addForwarded($0, depth: depth) }
        if fileName == nil { return }
      }
      let byteCount = encoding.lowercased() == "base64" ? body.count * 3 / 4 : body.count
      attachments.append(
        Message.Attachment(name: fileName ?? type.value, mediaType: type.value, byteCount: byteCount))
      return
    }
    let isHTML = type.value == "text/html"
    guard isHTML ? html == nil : text == nil else { return }
    var decoded = Charset.string(TransferEncoding.decoded(body, encoding), type["charset"], fallback)
    if decoded.utf8.contains(0x0D) { decoded.replace("\r\n", with: "\n") }
    if decoded.hasSuffix("\n") { decoded.removeLast() }
    guard isHTML else {
      text = decoded
      return
    }
    // A cut file may end within a tag.
    if let open = decoded.lastIndex(of: "<"), !decoded[open...].contains(">") {
      decoded.removeSubrange(open...)
    }
    html = decoded
  }

  private static let mostForwards = 100

  private mutating func addForwarded(_ mail: Bytes, depth: Int) {
    guard depth < Self.deepestNesting, forwards.count < Self.mostForwards else { return }
    let headers = MailHeaders(mail)
    let inner = MailBody(headers, mail.dropping(headers.byteCount), fallback, depth: depth + 1)
    let from = MailAddress(headers.undecoded("from", fallback) ?? "", fallback)
    let origin = Message.Forward(
      author: from.name, authorID: from.address,
      chat: MailMessage.list(in: headers, fallback),
      time: headers.text("date", fallback).flatMap(MailDate.read),
      isFrequent: headers.raw("x-scrollback-forwarded") != nil)
    forwards.append((inner.text ?? "", origin))
    forwards += inner.forwards
    attachments += inner.attachments
  }

  private static func parts(of body: Bytes, _ boundary: String) -> [Bytes] {
    let mark = Array("--\(boundary)".utf8)
    var parts: [Bytes] = []
    var partStart: Int?
    var start = 0
    while start < body.count {
      let end = body.position(of: 0x0A, from: start) ?? body.count
      if body[start..<end].starts(with: mark) {
        if let partStart { parts.append(Bytes(rebasing: body[partStart..<max(partStart, start - 1)])) }
        partStart = min(end + 1, body.count)
        if body[start..<end].dropFirst(mark.count).starts(with: "--".utf8) { return parts }
      }
      start = end + 1
    }
    if let partStart, partStart < body.count { parts.append(body.dropping(partStart)) }
    return parts
  }
}

/// The years of the neighbouring mails, to detect impossible years: clocks that were never set, two-digit
/// years and archives that guess put single mails a century away.
struct MailNeighbours {
  /// Enough mails that a single wrong one does not count.
  private static let count = 5
  /// The most years between mails of a file.
  private static let farthest = 75
  /// The most years between a mail and its neighbours after its century is corrected.
  private static let nearest = 1

  private var years: [Int] = []

  init(_ sample: Bytes) {
    var position = 0
    while years.count < Self.count, let found = sample.position(of: "\nDate: ", from: position) {
      let start = found + 7
      position = sample.position(of: 0x0A, from: start) ?? sample.count
      if let time = MailDate.read(sample.dropping(start).first(position - start).string) { add(time) }
    }
  }

  mutating func add(_ time: Timestamp) {
    years.append(time.utc.year)
    if years.count > Self.count { years.removeFirst() }
  }

  /// The first of a mail's times, unless it is a century away from its neighbours; `nil` if there is none.
  func best(of claims: [Timestamp]) -> Timestamp? {
    guard let first = claims.first, let year = typicalYear ?? claims.dropFirst().first?.utc.year else {
      return claims.first
    }
    func isWithin(_ distance: Int, _ time: Timestamp) -> Bool { abs(time.utc.year - year) <= distance }
    if isWithin(Self.farthest, first) { return first }
    let shifted = Self.moved(first, near: year)
    if let shifted, isWithin(Self.nearest, shifted) { return shifted }
    return claims.first { isWithin(Self.farthest, $0) } ?? shifted ?? first
  }

  private var typicalYear: Int? { years.count >= 3 ? years.sorted()[years.count / 2] : nil }

  /// The same day and time in the century nearest to `year`.
  private static func moved(_ time: Timestamp, near year: Int) -> Timestamp? {
    var civil = time.utc
    civil.year += Int((Double(year - civil.year) / 100).rounded()) * 100
    return civil.isValid ? Timestamp(utc: civil) : nil
  }
}
