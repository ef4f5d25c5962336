internal import Foundation
internal import HistoryQueries
internal import MessageModel

/// The id of a request: a string or a whole number.
enum RequestID: Codable, Hashable, Sendable {
  case text(String)
  case number(Int64)

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let number = try? container.decode(Int64.self) {
      self = .number(number)
    } else {
      self = .text(try container.decode(String.self))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .text(let text): try container.encode(text)
    case .number(let number): try container.encode(number)
    }
  }
}

/// The head of every message (<https://www.jsonrpc.org/specification>).
struct Envelope: Decodable {
  let jsonrpc: String?
  /// `nil` for a notification, which is not answered.
  let id: RequestID?
  /// `nil` for an answer to a request of ours, of which there are none.
  let method: String?
  /// The version of the Model Context Protocol that a request names itself, as those without a handshake do.
  let version: String?

  private enum CodingKeys: CodingKey { case jsonrpc, id, method, params }

  private struct Content: Decodable {
    var _meta: Meta?
  }

  private struct Meta: Decodable {
    var version: String?

    private enum CodingKeys: String, CodingKey {
      case version = "io.modelcontextprotocol/protocolVersion"
    }
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    jsonrpc = try container.decodeIfPresent(String.self, forKey: .jsonrpc)
    id = try container.decodeIfPresent(RequestID.self, forKey: .id)
    method = try container.decodeIfPresent(String.self, forKey: .method)
    // What else the parameters are is for the method to say.
    version = (try? container.decode(Content.self, forKey: .params))?._meta?.version
  }
}

/// The parameters of a message, as its method wants them.
struct Parameters<Content: Decodable>: Decodable {
  var params: Content
}

/// An answer to a request.
struct Response<Result: Encodable>: Encodable {
  let jsonrpc = "2.0"
  let id: RequestID
  let result: Result

  private enum CodingKeys: CodingKey { case jsonrpc, id, result }
}

/// The refusal of a message that the protocol does not know, or that cannot be read.
struct Refusal: Error, Encodable, Hashable {
  /// The codes of JSON-RPC, and that of the Model Context Protocol for a resource that is not there.
  enum Code: Int, Encodable {
    case parseError = -32_700
    case invalidRequest = -32_600
    case methodNotFound = -32_601
    case invalidParams = -32_602
    case resourceNotFound = -32_002
  }

  /// The versions of the protocol that are spoken, and the one that was asked for.
  struct Versions: Encodable, Hashable {
    let supported: [String]
    let requested: String

    private enum CodingKeys: CodingKey { case supported, requested }
  }

  let code: Code
  let message: String
  let data: Versions?

  init(_ code: Code, _ message: String, _ versions: Versions? = nil) {
    (self.code, self.message, data) = (code, message, versions)
  }
}

/// A refusal as it is sent. The id is `null` if that of the message could not be read.
struct RefusedResponse: Encodable {
  let id: RequestID?
  let error: Refusal

  private enum CodingKeys: CodingKey { case jsonrpc, id, error }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode("2.0", forKey: .jsonrpc)
    if let id { try container.encode(id, forKey: .id) } else { try container.encodeNil(forKey: .id) }
    try container.encode(error, forKey: .error)
  }
}

/// An object without keys.
struct Nothing: Encodable {}

/// A key of JSON that is known when the program runs.
struct NamedKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(_ name: String) { stringValue = name }
  init?(stringValue: String) { self.init(stringValue) }
  init?(intValue: Int) { nil }
}
