/// A file to attach to a message.
public struct NewAttachment: Hashable, Sendable {
  /// The source of its bytes.
  public enum Content: Hashable, Sendable {
    /// A file, which is read once and not changed.
    case file(path: String)
    /// Bytes in memory.
    case bytes([UInt8])
  }

  /// Its name, for people.
  public var name: String
  /// The media type given by the sender; used only where it is more exact than what the bytes show.
  public var claimedType: String?
  /// The bytes or their file.
  public var content: Content

  /// Creates an attachment of a file, under the name of that file.
  public init(file path: String, name: String? = nil, claimedType: String? = nil) {
    self.name = name ?? path.split(separator: "/").last.map(String.init) ?? "attachment"
    self.claimedType = claimedType
    content = .file(path: path)
  }

  init(_ content: Content, name: String, claimedType: String?) {
    (self.content, self.name, self.claimedType) = (content, name, claimedType)
  }

  /// Creates an attachment of bytes.
  public init(_ bytes: [UInt8], name: String, claimedType: String? = nil) {
    self.name = name
    self.claimedType = claimedType
    content = .bytes(bytes)
  }
}
