public import Foundation
public import MessageInterchange
internal import MessageModel
public import MessageStorage

extension MessageStore {
  /// Exports messages to a file. ``importHistory(at:options:makingPicturesBy:progress:)-([String],_,_,_)``
  /// reads JSON Lines back.
  ///
  /// The file is written under another name and then replaces an existing one, which stays unchanged if the
  /// export fails. Only its owner can read a new file. In formats that support it, messages name attached
  /// files by their relative paths.
  ///
  /// - Parameters:
  ///   - export: The messages, and their order.
  ///   - path: The file.
  ///   - format: The format, also a custom one; `nil` to choose it by the file's extension.
  ///   - folder: The folder for attached files, created if needed; `nil` to leave them out. An import finds
  ///     it only within the file's folder.
  ///   - progress: Receives the number of bytes written so far, and returns whether to continue.
  /// - Returns: What was written; if `progress` stopped the export, what would have been.
  /// - Throws: ``StoreError`` of kind `invalidRequest` for an unknown extension, `cannotCreate` if the file
  ///   or folder cannot be created or belongs to the store, `inputOutput` if they cannot be written, and
  ///   errors of reading; `CancellationError` if the task is cancelled.
  /// - Complexity: O(bytes written), in constant memory.
  @discardableResult
  public nonisolated(nonsending) func exportHistory(
    _ export: HistoryExport = HistoryExport(), to path: String, as format: (any ExportFormat)? = nil,
    attachments folder: String? = nil, progress: @escaping @Sendable (Int) -> Bool = { _ in true }
  ) async throws -> HistoryExport.Outcome {
    try await reading { store in
      do {
        let format = try format ?? Self.format(ofFile: path)
        return try export.write(store, to: path, as: format, attachments: folder, progress)
      } catch {
        throw StoreError(error, doing: "cannot export to '\(path)'")
      }
    }
  }

  /// Exports messages to a file; see ``exportHistory(_:to:as:attachments:progress:)-(_,String,_,_,_)``.
  ///
  /// - Throws: ``StoreError`` like the method with a path, and `invalidRequest` for a URL that is not a file
  ///   URL.
  @discardableResult
  public nonisolated(nonsending) func exportHistory(
    _ export: HistoryExport = HistoryExport(), to url: URL, as format: (any ExportFormat)? = nil,
    attachments folder: URL? = nil, progress: @escaping @Sendable (Int) -> Bool = { _ in true }
  ) async throws -> HistoryExport.Outcome {
    let folder = try folder.map { url throws(StoreError) in try url.pathOfFile }
    return try await exportHistory(
      export, to: try url.pathOfFile, as: format, attachments: folder, progress: progress)
  }

  private static func format(ofFile path: String) throws -> any ExportFormat {
    guard let name = ExportFormats.name(ofFile: path) else {
      throw StoreError(
        .invalidRequest, "no format for the name '\(path)'",
        remedy: "a name that ends in one of: \(ExportFormats.names.joined(separator: ", "))")
    }
    return try ExportFormats.named(name)
  }
}

extension HistoryExport {
  fileprivate func write(
    _ store: SynchronousMessageStore, to path: String, as format: any ExportFormat,
    attachments folder: String?, _ progress: (Int) -> Bool
  ) throws -> Outcome {
    let file = try OutputFile(path: path, sparing: store.files)
    do {
      let attachments = try folder.map { try AttachmentFolder($0, for: path, sparing: store.files) }
      var (byteCount, isStopped) = (0, false)
      let outcome = try run(
        store, format: format, attachments: attachments,
        isCancelled: { isStopped || SynchronousMessageStore.isCalledOff },
        write: {
          try file.write($0)
          byteCount += $0.count
          isStopped = !progress(byteCount)
        })
      if SynchronousMessageStore.isCalledOff { throw StoreError(.cancelled, "cannot export to '\(path)'") }
      if outcome.isStopped { file.discard() } else { try file.finish() }
      return outcome
    } catch {
      file.discard()
      throw error
    }
  }
}
