internal import HistoryQueries
internal import MessageModel
internal import MessageStorage
internal import NIOHTTP1

/// An answer, made whole before any of it is sent, or a content that is sent in pieces.
struct ServerAnswer: Sendable {
  var status = HTTPResponseStatus.ok
  var fields: [(String, String)] = []
  var body = Body.bytes([])

  enum Body: Sendable {
    case bytes([UInt8])
    case content(ContentPart)
  }

  var byteCount: Int {
    switch body {
    case .bytes(let bytes): bytes.count
    case .content(let part): part.range.count
    }
  }

  /// The fields of every answer.
  ///
  /// Nothing that is sent may run, be framed, be read by other sites or tell them the address; what the page itself may do is
  /// said by ``pagePolicy`` in place of this.
  static let usualFields = [
    ("Referrer-Policy", "no-referrer"),
    ("X-Content-Type-Options", "nosniff"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("X-Frame-Options", "DENY"),
  ]

  static let policyOfNothing =
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox"
  static let pagePolicy = """
    default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; media-src 'self'; \
    connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'
    """

  /// An answer of this server's own making.
  static func bytes(
    _ bytes: [UInt8], type: String, policy: String = policyOfNothing, tag: String? = nil
  ) -> ServerAnswer {
    var answer = ServerAnswer(body: .bytes(bytes))
    answer.fields = [
      ("Content-Type", type), ("Content-Security-Policy", policy),
      // Kept only to be asked about again.
      ("Cache-Control", tag == nil ? "no-store" : "private, no-cache"),
    ]
    if let tag { answer.fields.append(("ETag", tag)) }
    return answer
  }

  static let jsonType = "application/json; charset=utf-8"

  /// That what the client has is still so.
  static func unchanged(_ tag: String) -> ServerAnswer {
    ServerAnswer(
      status: .notModified, fields: [("ETag", tag), ("Cache-Control", "private, no-cache")], body: .bytes([]))
  }

  /// Why there is no answer.
  ///
  /// - Parameter asPage: Whether people read it rather than a program.
  init(_ refusal: RequestRefusal, asPage: Bool = false) {
    if asPage {
      self = .bytes(Self.page(of: refusal.error), type: "text/html; charset=utf-8")
    } else {
      let bytes =
        (try? AnswerEncoder.bytes(of: AnyHistoryAnswer(ErrorAnswer(refusal.error, in: \.served)))) ?? []
      self = .bytes(bytes, type: Self.jsonType)
    }
    status = refusal.status
    if status == .methodNotAllowed { fields.append(("Allow", "GET, HEAD")) }
    if status == .serviceUnavailable { fields.append(("Retry-After", "1")) }
  }

  /// An error as a page that loads nothing.
  private static func page(of error: StoreError) -> [UInt8] {
    let lines = [error.cause, error.remedy.map { "Try: \($0.served)" }].compactMap(\.self)
      .map { "<p>\(MarkupText.escaped($0))</p>" }
    return Array(
      """
      <!doctype html><meta charset="utf-8"><meta name="color-scheme" content="light dark">\
      <meta name="viewport" content="width=device-width"><title>Scrollback</title>
      <h1>\(MarkupText.escaped(error.summary))</h1>
      \(lines.joined(separator: "\n"))
      """.utf8)
  }

  init(status: HTTPResponseStatus = .ok, fields: [(String, String)] = [], body: Body) {
    (self.status, self.fields, self.body) = (status, fields, body)
  }
}
