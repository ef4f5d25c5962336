import Foundation
import ScrollbackKit

/// Imports files into a store, with a format of its own beside those that are built in.
@main struct Diary {
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count >= 3 else { return print("usage: Diary STORE FILE …") }
    var options = ImportOptions()
    options.formats = [DiaryFormat()]
    let description = BulkLoad.Description(
      name: arguments[2], format: "", zone: options.timeZone.identifier)
    let store = try await MessageStore(path: arguments[1])
    try await store.load(description) { [options] load throws(StoreError) in
      var reader = try reader(of: Array(arguments[2...]), options)
      while let event = reader.next() {
        switch event {
        case .file(let file):
          print("reading \(file.path) as \(file.formatTitle)")
          try load.describe(format: file.format)
        case .batch(let batch):
          try load.add(
            batch.drafts, files: batch.runs.map(\.drafts),
            isContinuation: batch.runs.first?.isContinuation == true)
        case .skipped(let record): print("passed over: \(record.description)")
        }
      }
    }
    print("imported \(try await store.imports().last?.addedCount ?? 0) messages")
    await store.close()
  }

  /// A load throws errors of stores; a file that is not there becomes one.
  static func reader(of paths: [String], _ options: ImportOptions) throws(StoreError) -> ImportReader {
    do throws(InterchangeError) {
      return try ImportReader(paths, options: options)
    } catch {
      throw StoreError(.noSuchFile, error.summary, cause: error.cause, remedy: error.remedy)
    }
  }
}
