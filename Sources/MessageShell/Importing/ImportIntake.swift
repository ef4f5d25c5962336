internal import MessageInterchange
internal import MessageModel
internal import MessageStorage

/// The way of an import into a store, which is opened when the first messages come.
final class ImportIntake {
  private let open: () throws -> SynchronousMessageStore
  private let name: String
  private let zone: String
  private var begun: Begun?
  private var files = ImportedFiles()
  private var formats = ImportedFormats()
  /// The number of files that messages came from.
  private var fileCount = 0

  /// The parts that there are once the store is open.
  private struct Begun {
    let store: SynchronousMessageStore
    let load: BulkLoad
    let marks: ReadMarks
  }

  /// Prepares to bring something into the store that `open` opens.
  ///
  /// - Parameters:
  ///   - name: What the user named to be read.
  ///   - zone: The identifier of the zone of times without one.
  init(_ open: @escaping () throws -> SynchronousMessageStore, name: String, zone: String) {
    self.open = open
    self.name = name
    self.zone = zone
  }

  /// Notes that what comes next is from another file.
  func begin(_ file: ImportedFile) {
    files.begin(file)
    formats.note(file.format)
  }

  /// Opens the store, if it is not open yet.
  func begin() throws { _ = try opened() }

  /// Takes in messages.
  func add(_ batch: ImportedMessages) throws {
    files.note(batch)
    fileCount += batch.runs.count { !$0.isContinuation }
    let load = try opened().load
    try load.describe(format: formats.text)
    try load.add(batch.drafts, files: batch.runs.map(\.drafts), isContinuation: batch.isContinuation)
  }

  /// Ends the import, takes in the files that its messages name, and returns what it has brought.
  func finish(redraw: (String) -> Void, isCancelled: () -> Bool) throws -> BulkLoad.Counts {
    guard let begun else { return BulkLoad.Counts() }
    let counts = try begun.load.finish(fileCount: fileCount, isCancelled: isCancelled)
    try begun.marks.move(in: begun.store)
    try files.run(into: begun.store, redraw: redraw, isCancelled: isCancelled)
    PictureMaking.makePictures(in: begun.store, isCancelled: isCancelled)
    return counts
  }

  /// The lines that say what became of the files that messages name.
  var lines: [String] { files.lines }

  private func opened() throws -> Begun {
    if let begun { return begun }
    let store = try open()
    let new = Begun(
      store: store,
      load: try BulkLoad(
        into: store, BulkLoad.Description(name: name, format: formats.text, zone: zone)),
      marks: try ReadMarks(in: store))
    begun = new
    return new
  }
}

/// The formats that were found in an import, as the list of imports names them.
struct ImportedFormats {
  private(set) var names: [String]

  /// Creates a list of those that were found before.
  init(_ names: [String] = []) { self.names = names }

  /// So many are named; of more it is said how many.
  private static let shownCount = 4

  /// Notes that a file is of the format called `name`.
  mutating func note(_ name: String) {
    if !names.contains(name) { names.append(name) }
  }

  /// `telegram, csv`, in the order in which they came.
  var text: String {
    let rest = names.count - Self.shownCount
    return names.prefix(Self.shownCount).joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
  }
}
