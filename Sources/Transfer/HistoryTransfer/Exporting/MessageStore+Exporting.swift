public import MessageInterchange
internal import MessageModel
public import MessageStorage

extension MessageStore {
  /// Exports messages to a file; what is written as JSON Lines ``importHistory(at:options:makingPicturesBy:progress:)-([String],_,_,_)`` takes in again.
  ///
  /// The file has another name until it is whole, and takes the place of one that is there then: whatever ends an export before
  /// leaves that as it was. A new one can be read by its owner only. Where the format has a place for them, messages name the
  /// attached files by where they lie beside it.
  ///
  /// - Parameters:
  ///   - export: The messages, and their order.
  ///   - path: The file.
  ///   - format: The format, also one of your own; `nil` for the one that the ending of the file tells.
  ///   - folder: The folder that attached files are written into, which is made if need be; `nil` to leave them. Only in the
  ///     folder of the file an import finds them again.
  ///   - progress: Takes the number of bytes written so far, and returns whether to go on.
  /// - Returns: What was written; of an export that `progress` ended, what would have been.
  /// - Throws: ``StoreError`` of kind `invalidRequest` if no format is told, `cannotCreate` if the file or the folder cannot be
  ///   made or belongs to the store, `inputOutput` if they cannot be written, and those of reading; `CancellationError` if the task is cancelled.
  /// - Complexity: O(bytes written), in memory that does not grow with them.
  @discardableResult
  public nonisolated(nonsending) func exportHistory(
    _ export: HistoryExport = HistoryExport(), to path: String, as format: (any ExportFormat)? = nil,
    attachments folder: String? = nil, progress: @escaping @Sendable (Int) -> Bool = { _ in true }
  ) async throws -> HistoryExport.Outcome {
    try await read { store in
      do {
        let format = try format ?? Self.format(ofFile: path)
        return try export.write(store, to: path, as: format, attachments: folder, progress)
      } catch {
        throw StoreError(error, doing: "cannot export to '\(path)'")
      }
    }
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
