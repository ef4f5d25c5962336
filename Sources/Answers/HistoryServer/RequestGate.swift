internal import Foundation
package import MessageModel
internal import NIOHTTP1

/// Lets requests in that this server's user can have sent, and tells the others why not.
struct RequestGate: Sendable {
  let key: AccessKey
  /// Whether a page may say how far was read: all else is asked by GET.
  var takesMarks = false

  /// Returns the rest of the address behind the key.
  ///
  /// - Parameter port: Where the request has come in.
  /// - Throws: ``RequestRefusal`` if another site, user of the computer or protocol may have sent it.
  func check(_ head: HTTPRequestHead, port: Int) throws(RequestRefusal) -> Substring {
    guard head.method == .GET || head.method == .HEAD || (takesMarks && head.method == .POST) else {
      throw RequestRefusal(
        .methodNotAllowed,
        StoreError(
          .readOnly, "cannot take this method", cause: "the server only reads", remedy: "GET or HEAD"))
    }
    guard !Self.hasBody(head.headers) else {
      throw RequestRefusal(
        .payloadTooLarge,
        StoreError(.invalidRequest, "cannot take a body", cause: "questions stand in addresses"))
    }
    let host = try checkHost(head.headers, port)
    try checkOrigin(head.headers, host)
    // Whoever writes says where from: browsers always do.
    guard head.method != .POST || !head.headers["Origin"].isEmpty else {
      throw RequestRefusal(.forbidden, StoreError(.notPermitted, "cannot take a mark without its origin"))
    }
    return try rest(of: head.uri)
  }

  static func hasBody(_ headers: HTTPHeaders) -> Bool {
    headers.contains(name: "Transfer-Encoding") || headers["Content-Length"].contains { $0 != "0" }
  }

  /// A name of somebody else that leads to this computer is that of a page which has its own name answered so (DNS rebinding):
  /// it could read every answer.
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

  /// Browsers say where a request comes from: of other sites only links are followed.
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

/// The key that a path must begin with: drawn anew by each server, and known to whom its owner gives the address.
///
/// Ports have no owners and cookies no ports, so that nothing else tells this server's user from other users of the computer.
package struct AccessKey: Sendable {
  /// The key in letters, digits, `-` and `_`: 192 bits.
  package let text: String

  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
  private static let letterCount = 32

  /// Draws a key from the system's source of chance, which cannot be foretold.
  package init() {
    var chance = SystemRandomNumberGenerator()
    self.init(
      text: String((0..<Self.letterCount).map { _ in Self.alphabet.randomElement(using: &chance) ?? "A" }))
  }

  /// Takes the key that a file holds, or draws one and makes the file, which only its owner can read then: a server that is
  /// started again has the same address, and open pages go on.
  ///
  /// - Throws: ``StoreError`` of kind `notPermitted` if others can read the file, `invalidRequest` if it holds no key,
  ///   `cannotCreate`.
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

  /// Whether a text is the key. It takes as long for each text of its length, so that nobody can find the key letter by letter.
  func isSame(as other: some StringProtocol) -> Bool {
    let (own, given) = (Array(text.utf8), Array(other.utf8))
    guard own.count == given.count else { return false }
    return zip(own, given).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
