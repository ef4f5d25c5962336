public import Foundation
public import MessageModel

/// Files by URL. A URL that names no file is refused.
extension MessageStore {
  /// Opens the store in a file; see ``init(path:options:clock:)``.
  ///
  /// - Throws: ``StoreError`` as ``init(path:options:clock:)``, and `invalidRequest` for a URL that names no
  ///   file.
  public nonisolated(nonsending) convenience init(
    url: URL, options: StoreOptions = StoreOptions()
  ) async throws {
    try await self.init(path: url.pathOfFile, options: options)
  }

  /// The file of the store.
  public var url: URL { URL(filePath: path) }

  /// Copies the store into a new file; see ``backup(to:progress:)-(String,_)``.
  ///
  /// - Throws: ``StoreError`` as the method that takes a path, and `invalidRequest` for a URL that names no
  ///   file.
  @discardableResult
  public nonisolated(nonsending) func backup(
    to url: URL, progress: @escaping @Sendable (Double) -> Bool = { _ in true }
  ) async throws -> Int {
    try await backup(to: url.pathOfFile, progress: progress)
  }
}

extension StoreReading {
  /// Writes a content into a folder, under a safe name, and returns the file.
  ///
  /// - Throws: ``StoreError`` as the method that takes a path, and `invalidRequest` for a URL that names no
  ///   file.
  public func save(_ attachment: Message.Attachment, to folder: URL) throws(StoreError) -> URL {
    URL(filePath: try save(attachment, to: folder.pathOfFile))
  }
}

extension NewAttachment {
  /// Creates an attachment of a file; see ``init(file:name:claimedType:)``.
  ///
  /// - Throws: ``StoreError`` of kind `invalidRequest` if the URL names no file.
  public init(file url: URL, name: String? = nil, claimedType: String? = nil) throws(StoreError) {
    self.init(file: try url.pathOfFile, name: name, claimedType: claimedType)
  }
}

extension URL {
  /// The path of a file URL.
  ///
  /// - Throws: ``StoreError`` of kind `invalidRequest` for any other URL.
  package var pathOfFile: String {
    get throws(StoreError) {
      guard isFileURL else {
        throw StoreError(
          .invalidRequest, "cannot open '\(absoluteString)'", cause: "it is not the address of a file",
          remedy: "a URL that begins with file:")
      }
      return path(percentEncoded: false)
    }
  }
}
