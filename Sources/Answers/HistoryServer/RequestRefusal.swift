internal import MessageModel
internal import NIOHTTP1

/// Why a request has no answer: the status of HTTP, and the error of docs/json.md.
struct RequestRefusal: Error {
  let status: HTTPResponseStatus
  let error: StoreError

  init(_ status: HTTPResponseStatus, _ error: StoreError) { (self.status, self.error) = (status, error) }

  /// Refuses what the store or the question made impossible.
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

  /// The refusal to write to what is only read, and to read what is only written to.
  static let otherMethod = RequestRefusal(
    .methodNotAllowed,
    StoreError(
      .readOnly, "cannot take this method here", cause: "only api/read is written to", remedy: "GET or HEAD"))

  static func tooMany(_ what: String) -> RequestRefusal {
    RequestRefusal(
      .serviceUnavailable,
      StoreError(.busy, "cannot answer now", cause: "too many \(what)", remedy: "try it again later"))
  }
}
