internal import MessageModel

struct MailBody {
  private(set) var text: String?
  private(set) var attachments: [Message.Attachment] = []
  private var html: String?

  private let fallback: FallbackEncoding
  private static let deepestNesting = 16

  init(_ headers: MailHeaders, _ body: Bytes, _ fallback: FallbackEncoding) {
    self.fallback = fallback
    read(headers, body, depth: 0)
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
      guard type.value != "message/rfc822" || fileName != nil || depth > 0 else { return }
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
    if isHTML { html = decoded } else { text = decoded }
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
