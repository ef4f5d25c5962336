internal import Foundation
internal import GRDB
internal import MessageModel

struct ContentCopy {
  let source: ContentFolder
  let destination: ContentFolder
  let doing: String
  private let isNew: Bool

  init(from source: ContentFolder, to destination: ContentFolder, doing: String) {
    self.source = source
    self.destination = destination
    self.doing = doing
    isNew = stat(at: destination.path) == nil
  }

  /// Copies intact contents that the database refers to and the destination lacks.
  ///
  /// Missing and damaged contents are skipped: a copy is no worse than its original.
  func run(_ db: Database, progress: (Double) -> Bool) throws {
    let total = max(try RawStatement.number(db, "SELECT count(*) FROM content WHERE \(Self.isFile)") ?? 0, 1)
    let rows = try RawStatement(db, "SELECT sha256, bytes FROM content WHERE \(Self.isFile)")
    defer { rows.reset() }
    var count = 0
    while try rows.step() {
      guard progress(Double(count) / Double(total)) else {
        throw StoreError(.cancelled, "did not copy the store", cause: "stopped on request")
      }
      count += 1
      guard let key = ContentKey(rows.text(0)) else { continue }
      try copy(key, byteCount: rows.count(1))
    }
  }

  private static let isFile = "NOT EXISTS (SELECT 1 FROM content_data WHERE content_data.id = content.id)"

  private func copy(_ key: ContentKey, byteCount: Int) throws {
    if destination.facts(of: key)?.byteCount == byteCount,
      ContentFile.key(of: destination.file(of: key)) == key
    {
      return
    }
    guard source.facts(of: key)?.byteCount == byteCount else { return }
    let intake = ContentIntake(destination, memoryLimit: 0, doing: doing)
    try intake.write(fileAt: source.file(of: key))
    guard let file = try intake.finishedFile(as: key) else { return }
    try destination.install(file, as: key, doing: doing)
  }

  /// Removes what a failed copy made, if the folder was new.
  func discard() {
    if isNew { try? FileManager.default.removeItem(atPath: destination.path) }
  }
}

extension ContentIntake {
  func finishedFile(as key: ContentKey) throws(StoreError) -> TemporaryFile? {
    guard self.key == key else { return nil }
    try file?.sync(doing: doing)
    return file
  }
}
