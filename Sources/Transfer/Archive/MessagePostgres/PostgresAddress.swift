internal import CPostgresClient
public import MessageModel

/// The address of an archive: `postgres://user@host:port/database?store=name`, with all that libpq takes behind the question mark.
public struct PostgresAddress: Hashable, Sendable {
  /// The address as libpq takes it.
  let text: String
  /// The address as it was given.
  private let given: String
  /// The name of the store in the archive; `nil` for the only one.
  public let store: String?

  /// Whether a text is meant as such an address.
  public static func isAddress(_ text: String) -> Bool {
    text.hasPrefix("postgres://") || text.hasPrefix("postgresql://")
  }

  /// Reads an address.
  ///
  /// - Throws: ``StoreError`` of kind `invalidRequest` if it cannot be understood, or has a password in it: everyone on this
  ///   computer sees what a program was called with.
  public init(_ text: String) throws(StoreError) {
    let (address, store) = Self.parted(text)
    (self.text, self.given, self.store) = (address, text, store)
    guard Self.isAddress(text) else {
      throw StoreError(
        .invalidRequest,
        "'\(VisibleText.of(AddressText.withoutPassword(text)))' is not the address of an archive",
        remedy: "postgres://USER@HOST/DATABASE")
    }
    switch AddressText.hidesPassword(text) ? 1 : cpg_address_has_password(address) {
    case 0: return
    case 1:
      throw StoreError(
        .invalidRequest, "an address with a password is refused",
        cause: "all users of this computer can read what a program was called with",
        remedy: "the password in ~/.pgpass, in the file that $PGPASSFILE names, or in a service file")
    default:
      throw StoreError(
        .invalidRequest, "cannot read the address '\(shown)'", remedy: "postgres://USER@HOST/DATABASE")
    }
  }

  /// The address for people, on one line and without a password.
  public var shown: String { VisibleText.of(AddressText.withoutPassword(given), keepsTabs: false) }

  /// Takes the name of a store out of an address: libpq knows no such word.
  private static func parted(_ text: String) -> (address: String, store: String?) {
    guard let mark = text.firstIndex(of: "?") else { return (text, nil) }
    let words = text[text.index(after: mark)...].split(separator: "&")
    let others = words.filter { !$0.hasPrefix("store=") }
    let name = words.last { $0.hasPrefix("store=") }.map {
      $0.dropFirst("store=".count).replacingEscapes(after: "%")
    }
    return (text[..<mark] + (others.isEmpty ? "" : "?" + others.joined(separator: "&")), name)
  }
}
