public import MessageModel
internal import MessageStorage

/// The imports that a store remembers, oldest first.
public struct ImportsAnswer: Codable, Hashable, Sendable {
  /// The imports.
  public var imports: [ImportAnswer]
  /// The number of the import after which to go on; `nil` at the end.
  public var next: Int64?
}

/// An import.
public struct ImportAnswer: Codable, Hashable, Sendable {
  /// The number by which it is undone.
  public var `import`: Int64
  /// When it began.
  public var time: Timestamp
  /// The number of messages that it brought.
  public var messages: Int
  /// The formats that were found.
  public var format: String
  /// The zone in which its times without one were read.
  public var timeZone: String
  /// The name of what was imported.
  public var name: String
  /// Whether it came to its end.
  public var finished: Bool

  init(_ batch: StoredImport) {
    `import` = batch.id
    time = batch.time
    messages = batch.addedCount
    format = batch.description.format
    timeZone = batch.description.zone
    name = batch.description.name
    finished = batch.isFinished
  }
}
