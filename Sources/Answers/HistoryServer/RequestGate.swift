internal import Foundation
package import MessageModel
internal import NIOHTTP1

/// Admits only requests that the server's user can have sent, and explains each refusal.
struct RequestGate: Sendable {
  let key: AccessKey
  /// Whether POST is accepted for what the page may write; everything else uses GET.
  var takesWrites = false

  /// Returns the address behind the key; throws ``RequestRefusal`` for requests that may come from other
  /// sites, other users or another protocol.
  func check(_ head: HTTPRequestHead, port: Int) throws(RequestRefusal) -> Substring {
    guard head.method == .GET || head.method == .HEAD || (takesWrites && head.method == .POST) else {
      throw RequestRefusal(
        .methodNotAllowed,
        StoreError(
          .readOnly, "cannot take this method", cause: "the server only reads", remedy: "GET or HEAD"))
    }
    guard !Self.hasBody(head.headers) else {
      throw RequestRefusal(
        .payloadTooLarge,
        StoreError(.invalidRequest, "cannot take a body", cause: "questions are read from the address"))
    }
    let host = try checkHost(head.headers, port)
    try checkOrigin(head.headers, host)
    // Writing requires an origin, which browsers always send.
    guard head.method != .POST || !head.headers["Origin"].isEmpty else {
      throw RequestRefusal(.forbidden, StoreError(.notPermitted, "cannot write without an origin"))
    }
    return try rest(of: head.uri)
  }

  static func hasBody(_ headers: HTTPHeaders) -> Bool {
    headers.contains(name: "Transfer-Encoding") || headers["Content-Length"].contains { $0 != "0" }
  }

  /// Refuses foreign host names that resolve to this computer (DNS rebinding): such a page could read every
  /// answer.
  private func checkHost(_ headers: HTTPHeaders, _ port: Int) throws(RequestRefusal) -> String {
    let hosts = headers["Host"].map { $0.lowercased() }
    guard hosts.count == 1, let host = hosts.first, ["127.0.0.1:\(port)", "localhost:\(port)"].contains(host)
    else {
      throw RequestRefusal(
        .misdirectedRequest,
        StoreError(.notPermitted, "cannot answer for this host", remedy: "http://127.0.0.1:\(port)/…"))
    }
    return host
  }

  /// Of requests that a browser attributes to another site, only links are followed.
  private func checkOrigin(_ headers: HTTPHeaders, _ host: String) throws(RequestRefusal) {
    let isForeign = headers["Origin"].contains { $0.lowercased() != "http://\(host)" }
    let isLink = headers["Sec-Fetch-Mode"] == ["navigate"] && headers["Sec-Fetch-Dest"] == ["document"]
    let isFromElsewhere = headers["Sec-Fetch-Site"].contains { !["same-origin", "none"].contains($0) }
    guard !isForeign, isLink || !isFromElsewhere else {
      throw RequestRefusal(.forbidden, StoreError(.notPermitted, "cannot answer a page of another site"))
    }
  }

  private func rest(of address: String) throws(RequestRefusal) -> Substring {
    let behind = address.utf8.dropFirst()
    let given = behind.prefix { !"/?#".utf8.contains($0) }
    guard address.utf8.first == UInt8(ascii: "/"), key.isSame(as: Substring(given)) else {
      throw RequestRefusal(
        .forbidden,
        StoreError(
          .notPermitted, "cannot answer without the key",
          cause: "each start of the server has one of its own",
          remedy: "open the address that 'scrollback serve' has printed"))
    }
    return Substring(behind.dropFirst(given.count))
  }
}

/// The random key that every path begins with. Each server has a new one, and its owner gives it away with
/// the address.
///
/// Ports have no owners and cookies no ports, so nothing else distinguishes this server's user from other
/// users of the computer.
package struct AccessKey: Sendable {
  /// 192 bits as letters, digits, `-` and `_`.
  package let text: String

  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
  private static let letterCount = 32

  /// Creates a key from the system's cryptographic random numbers.
  package init() {
    var chance = SystemRandomNumberGenerator()
    self.init(
      text: String((0..<Self.letterCount).map { _ in Self.alphabet.randomElement(using: &chance) ?? "A" }))
  }

  /// Reads the key from a file, or creates both, readable by their owner only. With the same key, a restarted
  /// server keeps its address, and open pages continue.
  ///
  /// - Throws: ``StoreError`` of kind `notPermitted` if others can read the file, `invalidRequest` if it
  ///   holds no key, `cannotCreate`.
  package init(file path: String) throws(StoreError) {
    let doing = "cannot take the key from '\(path)'"
    var facts = stat()
    guard stat(path, &facts) == 0 else {
      self.init()
      let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      let count = descriptor < 0 ? -1 : text.withCString { write(descriptor, $0, text.utf8.count) }
      if descriptor >= 0 { close(descriptor) }
      guard count == text.utf8.count else {
        throw StoreError(.cannotCreate, "cannot make '\(path)'", cause: String(cString: strerror(errno)))
      }
      return
    }
    guard facts.st_mode & 0o077 == 0 else {
      throw StoreError(
        .notPermitted, doing, cause: "others can read it", remedy: "chmod 600 \(ShellWord.quoted(path))")
    }
    let found = (try? String(contentsOfFile: path, encoding: .utf8))?.trimmingCharacters(in: .newlines)
    guard let found, found.count == Self.letterCount, found.allSatisfy(Self.alphabet.contains) else {
      throw StoreError(
        .invalidRequest, doing, cause: "it holds no key", remedy: "a file that is not there is made")
    }
    self.init(text: found)
  }

  private init(text: String) { self.text = text }

  /// Whether a text is the key. Takes the same time for all texts of its length, so that the key cannot be
  /// found letter by letter.
  func isSame(as other: some StringProtocol) -> Bool {
    let (own, given) = (Array(text.utf8), Array(other.utf8))
    guard own.count == given.count else { return false }
    return zip(own, given).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
