internal import GRDB
package import HistoryModel
public import MessageModel

/// A thumbnail or preview, as facts; its bytes are ``StoreReading/content(_:)``.
public struct StoredRendition: Hashable, Sendable {
  /// The SHA-256 of its content.
  public var sha256: String
  /// Its size in bytes.
  public var byteCount: Int
  /// Its media type.
  public var mediaType: String
  /// Its size in pixels.
  public var pixelSize: PixelSize
}

extension StoreReading {
  /// Returns the thumbnail or preview of a content; `nil` if there is none yet. If the preview would not be
  /// larger, it is the thumbnail.
  public func picture(_ kind: PictureKind, of sha256: String) throws(StoreError) -> StoredRendition? {
    try store.reading("cannot look for small pictures", unpublished: nil) { db in
      try RawStatement(
        db,
        """
        SELECT small.sha256, small.bytes, small.type, small.width, small.height
          FROM content JOIN picture ON picture.content = content.id JOIN content AS small ON small.sha256 = picture.sha256
          WHERE content.sha256 = ? AND kind <= ? ORDER BY kind DESC LIMIT 1
        """, sha256, kind.rawValue
      ).first { row in
        StoredRendition(
          sha256: row.text(0), byteCount: row.count(1), mediaType: row.text(2),
          pixelSize: PixelSize(reading: row.int(3), row.int(4)))
      }
    }
  }
}

extension SynchronousMessageStore {
  /// Makes missing thumbnails and previews, one by one, and returns the number of pictures examined.
  ///
  /// Nothing is locked while a picture is decoded. A stopped call keeps what it has made, and the next one
  /// continues.
  ///
  /// - Parameters:
  ///   - maker: Makes them, one call at a time.
  ///   - limits: Their sizes, and what making one may cost.
  ///   - sha256: The content; `nil` for all that wait.
  ///   - progress: Called before each picture with the number done; returns whether to continue.
  /// - Throws: As writing. A picture that cannot be made is no error: its reason is recorded.
  @discardableResult
  package func makePictures(
    by maker: some PictureMaker, limits: PictureLimits = PictureLimits(), of sha256: [String]? = nil,
    progress: (Int) -> Bool = { _ in true }
  ) throws(StoreError) -> Int {
    let doing = "cannot make small pictures"
    var (place, count) = (Int64.min, 0)
    while progress(count), let next = try reading(doing, { db in try Self.pending(after: place, in: db) }) {
      place = next.id
      if let sha256, !sha256.contains(next.key.description) { continue }
      count += 1
      let result: Result<PictureRenditions, PictureRefusal>
      do throws(PictureRefusal) {
        result = .success(try maker.pictures(of: try source(next.key), limits: limits))
      } catch {
        // It may be readable later.
        if error == .unreadable { continue }
        result = .failure(error)
      }
      try keep(result, of: next, doing)
    }
    return count
  }

  private struct PendingPicture {
    var id: Int64
    var key: ContentKey
  }

  private static func pending(after id: Int64, in db: Database) throws -> PendingPicture? {
    let statement = try RawStatement(
      db, "SELECT id, sha256 FROM content WHERE pictures = 'pending' AND id > ? ORDER BY id LIMIT 1", id)
    defer { statement.reset() }
    guard try statement.step(), let key = ContentKey(statement.text(1)) else { return nil }
    return PendingPicture(id: statement.int(0), key: key)
  }

  private func source(_ key: ContentKey) throws(PictureRefusal) -> PictureSource {
    guard let content = try? openContent(key.description) else { throw .unreadable }
    if let path = content.path { return .file(path: path) }
    guard let bytes = try? content.read(at: 0, count: content.byteCount) else { throw .unreadable }
    return .bytes(bytes)
  }

  private func keep(
    _ result: Result<PictureRenditions, PictureRefusal>, of pending: PendingPicture, _ doing: String
  ) throws(StoreError) {
    switch result {
    case .failure(let reason):
      _ = try writing(doing) { db in try Self.setState(.refused(reason), nil, of: pending, in: db) }
    case .success(let pictures):
      var staged: [(kind: PictureKind, content: StagedContent, size: PixelSize)] = []
      for (kind, picture) in [(PictureKind.thumbnail, pictures.thumbnail), (.preview, pictures.preview)] {
        guard let picture else { continue }
        let content = try stage(
          NewAttachment(picture.bytes, name: "", claimedType: picture.mediaType), doing: doing)
        staged.append((kind, content, picture.pixelSize))
      }
      try referring(to: staged.map(\.content), doing) { db in
        guard try Self.setState(.made, pictures.pixelSize, of: pending, in: db) else { return }
        for (kind, content, size) in staged {
          try content.put(into: db, contents, inlineLimit: options.inlineByteCount, doing: doing)
          try Self.refer(to: content, size, as: kind, of: pending.id, in: db)
        }
      }
    }
  }

  /// Returns `false` if the picture was deleted meanwhile.
  @discardableResult
  private static func setState(
    _ state: PictureState, _ size: PixelSize?, of pending: PendingPicture, in db: Database
  ) throws -> Bool {
    try RawStatement.run(
      db,
      """
      UPDATE content SET pictures = ?, width = ifnull(?, width), height = ifnull(?, height)
        WHERE id = ? AND sha256 = ?
      """, state.word, size.map { Int64($0.width) }, size.map { Int64($0.height) }, pending.id,
      pending.key.description)
    guard db.changesCount > 0 else { return false }
    // Windows read a message again when its revision rises.
    try RawStatement.run(
      db,
      "UPDATE message SET revision = revision + 1 WHERE id IN (SELECT message FROM attachment WHERE sha256 = ?)",
      pending.key.description)
    return true
  }

  private static func refer(
    to content: StagedContent, _ size: PixelSize, as kind: PictureKind, of id: Int64, in db: Database
  ) throws {
    try RawStatement.run(
      db, "INSERT OR REPLACE INTO picture VALUES (?, ?, ?)", id, kind.rawValue, content.key.description)
    try RawStatement.run(
      db, "UPDATE content SET width = ?, height = ? WHERE sha256 = ? AND width IS NULL", size.width,
      size.height, content.key.description)
  }
}
