internal import Foundation
package import MessageModel

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
