internal import Foundation
internal import GRDB

struct AttachmentCheck {
  let db: Database
  let folder: ContentFolder

  typealias Report = (_ sentence: String) -> Void

  /// Reports missing and changed contents, which nothing can restore.
  func checkContents(_ report: Report) throws {
    let contents = try RawStatement(
      db,
      """
      SELECT id, sha256, bytes, EXISTS (SELECT 1 FROM content_data WHERE content_data.id = content.id) FROM content
      """)
    defer { contents.reset() }
    while try contents.step() {
      guard let key = ContentKey(contents.text(1)) else {
        report("content \(contents.int(0)) has no valid SHA-256")
        continue
      }
      let complaint =
        contents.int(3) != 0
        ? try complaint(ofData: contents.int(0), key)
        : complaint(ofFile: key, byteCount: contents.count(2))
      guard let complaint else { continue }
      report("\(try users(of: key)): its content \(key.description.prefix(12)) \(complaint)")
    }
  }

  private func complaint(ofFile key: ContentKey, byteCount: Int) -> String? {
    guard let facts = folder.facts(of: key) else { return "is not there: \(folder.file(of: key))" }
    let isSame = facts.byteCount == byteCount && ContentFile.key(of: folder.file(of: key)) == key
    return isSame ? nil : "has changed: \(folder.file(of: key))"
  }

  private func complaint(ofData id: Int64, _ key: ContentKey) throws -> String? {
    try ContentHash(ofData: id, in: db).key() == key ? nil : "has changed"
  }

  private func users(of key: ContentKey) throws -> String {
    let names = try RawStatement(
      db, "SELECT name, message FROM attachment WHERE sha256 = ? LIMIT 1", key.description)
    defer { names.reset() }
    guard try names.step() else { return "a small picture" }
    return "attachment '\(names.text(0))' of message #\(names.int(1))"
  }

  func checkOrphans(_ report: Report) throws {
    for (count, sentence) in [
      (try number(Self.lostPictures), "small pictures belong to contents that are not there"),
      (try number(Self.lostData), "pieces of data belong to no content"),
    ] where count > 0 { report("\(count) \(sentence)") }
  }

  /// Deletions leave unused contents, since they can be undone.
  func leftContents() throws -> String? {
    let count = try number("content WHERE \(Self.isOrphan)")
    guard count > 0 else { return nil }
    return count == 1
      ? "1 content is referred to by no message" : "\(count) contents are referred to by no message"
  }

  private func number(_ rows: String) throws -> Int64 {
    try RawStatement.number(db, "SELECT count(*) FROM \(rows)") ?? 0
  }

  private static let isOrphan = """
    NOT EXISTS (SELECT 1 FROM attachment WHERE attachment.sha256 = content.sha256)
      AND NOT EXISTS (SELECT 1 FROM picture WHERE picture.sha256 = content.sha256)
    """
  private static let lostPictures = """
    picture WHERE content NOT IN (SELECT id FROM content) OR sha256 NOT IN (SELECT sha256 FROM content)
    """
  private static let lostData = "content_data WHERE id NOT IN (SELECT id FROM content)"

  /// Removes unused contents with their thumbnails, then all files without a row. The caller must hold the
  /// write lock: files get their names within the transaction that refers to them.
  func removeOrphans() throws {
    try db.execute(
      sql: """
        DELETE FROM \(Self.lostPictures);
        DELETE FROM picture WHERE content IN (SELECT id FROM content WHERE \(Self.isOrphan));
        DELETE FROM content_data WHERE id IN (SELECT id FROM content WHERE \(Self.isOrphan));
        DELETE FROM content WHERE \(Self.isOrphan);
        DELETE FROM \(Self.lostData);
        """)
    for path in try strayFiles() { unlink(path) }
  }

  /// Removes those of some contents that nothing refers to, with their small pictures, and returns what was
  /// removed. Files stay.
  func removeOrphans(among keys: [ContentKey]) throws -> [ContentKey] {
    var (waiting, removed) = (keys, [] as [ContentKey])
    while let key = waiting.popLast() {
      let orphan = "SELECT id FROM content WHERE sha256 = ? AND \(Self.isOrphan)"
      guard let id = try RawStatement(db, orphan, key.description).first({ $0.int(0) }) else { continue }
      waiting += try RawStatement(db, "SELECT sha256 FROM picture WHERE content = ?", id)
        .map { ContentKey($0.text(0)) }.compactMap { $0 }
      try RawStatement.run(db, "DELETE FROM picture WHERE content = ?", id)
      try RawStatement.run(db, "DELETE FROM content_data WHERE id = ?", id)
      try RawStatement.run(db, "DELETE FROM content WHERE id = ?", id)
      removed.append(key)
    }
    return removed
  }

  func strayFiles() throws -> [String] {
    var strays: [String] = []
    try folder.visit { key in
      if try ContentRow(key, in: db).map(\.hasData) ?? true { strays.append(folder.file(of: key)) }
    }
    return strays + folder.abandoned()
  }
}

extension ContentHash {
  init(ofData id: Int64, in db: Database) throws {
    self.init()
    let blob = try IncrementalBlob(db, table: "content_data", column: "data", row: id, isWriting: false)
    var offset = 0
    while offset < blob.byteCount {
      let piece = try blob.read(at: offset, count: ContentIntake.chunkByteCount)
      piece.withUnsafeBytes { add($0) }
      offset += piece.count
    }
  }
}
