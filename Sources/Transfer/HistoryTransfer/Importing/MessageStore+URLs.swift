public import Foundation
public import MessageInterchange
public import MessageModel
public import MessageStorage

extension MessageStore {
  /// Imports histories; see ``importHistory(at:options:makingPicturesBy:progress:)-([String],_,_,_)``.
  ///
  /// - Throws: ``StoreError`` like the method with paths, and `invalidRequest` for a URL that is not a file
  ///   URL.
  @discardableResult
  public nonisolated(nonsending) func importHistory(
    at urls: [URL], options: ImportOptions = ImportOptions(),
    makingPicturesBy maker: (any PictureMaker)? = nil,
    progress: @escaping @Sendable (ImportProgress) -> Bool = { _ in true }
  ) async throws -> HistoryImport {
    let paths = try urls.map { url throws(StoreError) in try url.pathOfFile }
    return try await importHistory(at: paths, options: options, makingPicturesBy: maker, progress: progress)
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
}
