import MessageModel
import Testing

@testable import HistoryTransfer
@testable import MessageInterchange

/// The steps of an import that does nothing but wait.
@Suite struct ImportStepsTests {
  private static let progress = ImportProgress(
    doneByteCount: 0, totalByteCount: nil, fileCount: 0, messageCount: 0, skippedRecordCount: 0,
    skippedFileCount: 0)

  @Test func `who leaves the steps of an import calls it off`() async throws {
    let (ended, end) = AsyncStream<Void>.makeStream()
    func leave() async throws {
      let steps = ImportSteps { progress throws(StoreError) in
        _ = progress(Self.progress)
        while !Task.isCancelled { await Task.yield() }
        end.yield()
        return HistoryImport()
      }
      for try await _ in steps { return }
    }
    try await leave()
    // It ends once the import has noticed.
    for await _ in ended { break }
  }
}
