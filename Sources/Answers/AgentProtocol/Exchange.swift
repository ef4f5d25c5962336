internal import Foundation

/// The id of a request: a string or an integer.
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

/// The parts of a message that all methods share (<https://www.jsonrpc.org/specification>).
struct Envelope: Decodable {
  let jsonrpc: String?
  /// `nil` for a notification, which gets no answer.
  let id: RequestID?
  /// `nil` for a response; the server sends no requests.
  let method: String?
  /// The version of the Model Context Protocol, in requests without a handshake.
  let version: String?
  /// Whether the request names the abilities of its client, as requests without a handshake must.
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
    // The method itself checks its other parameters.
    let meta = (try? container.decode(Content.self, forKey: .params))?._meta
    version = meta?.version
    hasCapabilities = meta?.capabilities != nil
  }
}

struct Parameters<Content: Decodable>: Decodable {
  var params: Content
}

struct Response<Result: Encodable>: Encodable {
  let jsonrpc = "2.0"
  let id: RequestID
  let result: Result

  private enum CodingKeys: CodingKey { case jsonrpc, id, result }
}

/// The error object of JSON-RPC, for an unreadable or unsupported message.
struct JSONRPCError: Error, Encodable, Hashable {
  /// The codes of JSON-RPC, and the Model Context Protocol's code for an unknown resource.
  enum Code: Int, Encodable {
    case parseError = -32_700
    case invalidRequest = -32_600
    case methodNotFound = -32_601
    case invalidParams = -32_602
    case resourceNotFound = -32_002
    /// In versions without a handshake.
    case unsupportedVersion = -32_022
  }

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
  /// The same error in versions without a handshake, which have no code for unknown resources.
  var withoutHandshake: JSONRPCError {
    code == .resourceNotFound ? JSONRPCError(.invalidParams, message, data) : self
  }
}

/// A result with the fields that versions without a handshake add: its completeness, the server, and the
/// lifetime and scope of caching.
struct CompleteResult<Result: Encodable>: Encodable {
  let result: Result
  let serverInfo: ServerInfo
  /// Whether the result may be cached at all. The lifetime is 0, since messages may arrive at any time.
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

struct ServerInfo: Encodable {
  let name = "scrollback"
  let title = "Scrollback"
  let version: String

  private enum CodingKeys: CodingKey { case name, title, version }
}

/// An error as it is sent. The id is `null` if the message's could not be read.
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

struct Nothing: Codable {}

/// A JSON key known only at run time.
struct NamedKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(_ name: String) { stringValue = name }
  init?(stringValue: String) { self.init(stringValue) }
  init?(intValue: Int) { nil }
}
