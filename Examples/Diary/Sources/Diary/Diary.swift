import Foundation
import HistoryTransfer
import ScrollbackKit

/// Imports files into a store, with a format of its own beside those that are built in.
@main struct Diary {
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count >= 3 else { return print("usage: Diary STORE FILE …") }
    var options = ImportOptions()
    options.formats = [DiaryFormat()]
    let store = try await MessageStore(path: arguments[1])
    let outcome = try await store.importHistory(at: Array(arguments[2...]), options: options)
    for record in outcome.skipped { print("skipped: \(record.description)") }
    print("imported \(outcome.counts.addedCount) messages of \(outcome.formats.joined(separator: ", "))")
    await store.close()
  }
}
