internal import Foundation

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
  /// Whether it says, as those do, what its client can.
  let hasCapabilities: Bool

  private enum CodingKeys: CodingKey { case jsonrpc, id, method, params }

  private struct Content: Decodable {
    var _meta: Meta?
  }

  private struct Meta: Decodable {
    var version: String?
    var capabilities: Nothing?

    private enum CodingKeys: String, CodingKey {
      case version = "io.modelcontextprotocol/protocolVersion"
      case capabilities = "io.modelcontextprotocol/clientCapabilities"
    }
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    jsonrpc = try container.decodeIfPresent(String.self, forKey: .jsonrpc)
    id = try container.decodeIfPresent(RequestID.self, forKey: .id)
    method = try container.decodeIfPresent(String.self, forKey: .method)
    // What else the parameters are is for the method to say.
    let meta = (try? container.decode(Content.self, forKey: .params))?._meta
    version = meta?.version
    hasCapabilities = meta?.capabilities != nil
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
struct JSONRPCError: Error, Encodable, Hashable {
  /// The codes of JSON-RPC, and that of the Model Context Protocol for a resource that is not there.
  enum Code: Int, Encodable {
    case parseError = -32_700
    case invalidRequest = -32_600
    case methodNotFound = -32_601
    case invalidParams = -32_602
    case resourceNotFound = -32_002
    /// Of versions without a handshake.
    case unsupportedVersion = -32_022
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

extension JSONRPCError {
  /// The same by the codes of versions without a handshake, which have none of its own for a resource that is not there.
  var withoutHandshake: JSONRPCError {
    code == .resourceNotFound ? JSONRPCError(.invalidParams, message, data) : self
  }
}

/// A result with what versions without a handshake have in each: that it is complete, who answers and, where it may be kept,
/// for how long and by whom.
struct CompleteResult<Result: Encodable>: Encodable {
  let result: Result
  let serverInfo: ServerInfo
  /// Whether the answer may be kept at all; not for any length of time, since messages come in at any time.
  let isCacheable: Bool

  private enum CodingKeys: String, CodingKey {
    case resultType, ttlMs, cacheScope
    case meta = "_meta"
  }
  private enum MetaKeys: String, CodingKey { case serverInfo = "io.modelcontextprotocol/serverInfo" }

  func encode(to encoder: any Encoder) throws {
    try result.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode("complete", forKey: .resultType)
    if isCacheable {
      try container.encode(0, forKey: .ttlMs)
      try container.encode("private", forKey: .cacheScope)
    }
    var meta = container.nestedContainer(keyedBy: MetaKeys.self, forKey: .meta)
    try meta.encode(serverInfo, forKey: .serverInfo)
  }
}

/// The name and version of the server.
struct ServerInfo: Encodable {
  let name = "scrollback"
  let title = "Scrollback"
  let version: String

  private enum CodingKeys: CodingKey { case name, title, version }
}

/// A refusal as it is sent. The id is `null` if that of the message could not be read.
struct RefusedResponse: Encodable {
  let id: RequestID?
  let error: JSONRPCError

  private enum CodingKeys: CodingKey { case jsonrpc, id, error }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode("2.0", forKey: .jsonrpc)
    if let id { try container.encode(id, forKey: .id) } else { try container.encodeNil(forKey: .id) }
    try container.encode(error, forKey: .error)
  }
}

/// An object without keys.
struct Nothing: Codable {}

/// A key of JSON that is known when the program runs.
struct NamedKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(_ name: String) { stringValue = name }
  init?(stringValue: String) { self.init(stringValue) }
  init?(intValue: Int) { nil }
}
