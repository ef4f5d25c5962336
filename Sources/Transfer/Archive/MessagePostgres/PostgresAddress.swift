internal import CPostgresClient
public import MessageModel

/// The address of an archive, `postgres://user@host:port/database?store=name`, with any parameters of libpq.
public struct PostgresAddress: Hashable, Sendable {
  /// The address without `store`, for libpq.
  let text: String
  private let given: String
  /// The name of the store in the archive; `nil` for the only one.
  public let store: String?

  /// Whether a text begins like the address of an archive.
  public static func isAddress(_ text: String) -> Bool {
    text.hasPrefix("postgres://") || text.hasPrefix("postgresql://")
  }

  /// Parses an address.
  ///
  /// - Throws: ``StoreError`` of kind `invalidRequest` for an invalid address, or one with a password:
  ///   everyone on this computer can read the arguments of a program.
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

  /// The address for display, on one line and without a password.
  public var shown: String { VisibleText.of(AddressText.withoutPassword(given), keepsTabs: false) }

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
