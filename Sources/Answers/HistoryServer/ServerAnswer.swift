internal import HistoryQueries
package import MessageModel
internal import MessageStorage
internal import NIOHTTP1

/// An answer, complete before it is sent, or a content that is sent in pieces.
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

  /// The header fields of every answer.
  ///
  /// Nothing that is sent may run, be framed, be read by other sites or reveal the address to them; the page
  /// itself has ``pagePolicy``.
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

  static func bytes(
    _ bytes: [UInt8], type: String, policy: String = policyOfNothing, tag: String? = nil
  ) -> ServerAnswer {
    var answer = ServerAnswer(body: .bytes(bytes))
    answer.fields = [
      ("Content-Type", type), ("Content-Security-Policy", policy),
      // Cached only for revalidation.
      ("Cache-Control", tag == nil ? "no-store" : "private, no-cache"),
    ]
    if let tag { answer.fields.append(("ETag", tag)) }
    return answer
  }

  static let jsonType = "application/json; charset=utf-8"

  /// The answer to a client that has the current version.
  static func unchanged(_ tag: String) -> ServerAnswer {
    ServerAnswer(
      status: .notModified, fields: [("ETag", tag), ("Cache-Control", "private, no-cache")], body: .bytes([]))
  }

  /// - Parameter asPage: Whether a person reads it rather than a program.
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

/// A refusal of a request: the HTTP status, and the error of docs/json.md.
struct RequestRefusal: Error {
  let status: HTTPResponseStatus
  let error: StoreError

  init(_ status: HTTPResponseStatus, _ error: StoreError) { (self.status, self.error) = (status, error) }

  init(_ error: StoreError) { self.init(Self.status(of: error.kind), error) }

  private static func status(of kind: StoreError.Kind) -> HTTPResponseStatus {
    switch kind {
    case .invalidRequest: .badRequest
    case .notFound, .noSuchFile: .notFound
    case .notPermitted, .readOnly: .forbidden
    case .alreadyExists: .conflict
    case .noSuchStore, .busy, .suspended, .displaced, .cancelled: .serviceUnavailable
    case .notAStore, .damaged, .inputOutput, .noSpace, .cannotCreate: .internalServerError
    }
  }

  static let unknownPath = RequestRefusal(
    .notFound,
    StoreError(.notFound, "nothing is at this address", remedy: "docs/serve.md lists what there is"))

  /// For writing to a read-only address, and reading a write-only one.
  static let otherMethod = RequestRefusal(
    .methodNotAllowed,
    StoreError(
      .readOnly, "cannot take this method here", cause: "only api/read accepts POST", remedy: "GET or HEAD"))

  static func tooMany(_ what: String) -> RequestRefusal {
    RequestRefusal(
      .serviceUnavailable,
      StoreError(.busy, "cannot answer now", cause: "too many \(what)", remedy: "try it again later"))
  }
}

extension Remedy {
  /// The remedy for clients: the questions of docs/json.md or, for what this read-only server cannot do, the
  /// commands of the program.
  package var served: String {
    switch way {
    case .words(let text): text
    case .listConversations: "a name from the list of conversations"
    case .listSenders: "a name from the list of senders"
    case .listPeople: "a name from the list of people"
    case .listFilters: "a name from the list of saved filters"
    case .checkStore: "scrollback check"
    case .repairStore: "scrollback check --repair"
    case .makeStore: "scrollback import FILE, which makes it"
    case .importOrSalvage: "scrollback import FILE; if it was a store, scrollback salvage FILE -o NEW"
    case .importWithFiles: "scrollback import, with the files beside the history"
    case .changeAndPublish: "change the store that it comes from, then: scrollback publish"
    case .publish: "scrollback publish, or another database"
    case .openAnotherStore: "another --store"
    case .openLocalStore: "a --store on a disk of this computer"
    // These concern writing.
    case .exportAndImport, .openStore, .goWithoutBackup, .writeIntoNewFolder, .searchMessages, .showMessage,
      .mergeConversations,
      .listImports,
      .listSources, .mapColumns:
      description
    }
  }
}
