public import MessageModel
internal import MessageStorage

/// Asks for the imports.
public struct ImportsQuestion: HistoryQuestion, ListQuestion {
  /// Its word in JSON.
  public static let word = "imports"

  /// The number of the import after which to begin.
  public var after: Int64?
  /// The most imports; `nil` for the usual limit.
  public var limit: Int?

  /// Creates a question.
  public init(after: Int64? = nil, limit: Int? = nil) {
    self.after = after
    self.limit = limit
  }
}

extension ImportsQuestion {
  /// Returns the imports.
  public func answer(by queries: QuestionAnswerer) throws(StoreError) -> ImportsAnswer {
    try queries.imports(after: after, limit: QuestionAnswerer.limit(limit))
  }

  package static var isServed: Bool { false }
}

/// The imports of a store, oldest first.
public struct ImportsAnswer: HistoryAnswer, ServedAnswer {
  /// The imports.
  public var imports: [ImportAnswer]
  /// The number of the import after which to continue; `nil` at the end.
  public var next: Int64?

  package var count: Int { imports.count }
}

/// An import.
public struct ImportAnswer: Codable, Hashable, Sendable {
  /// Its number, by which it can be undone.
  public var `import`: Int64
  /// When it began.
  public var time: Timestamp
  /// The number of messages that it added.
  public var messages: Int
  /// The formats that it found.
  public var format: String
  /// The time zone assumed for times without one.
  public var timeZone: String
  /// The name of the imported files.
  public var name: String
  /// Whether it was completed.
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

extension QuestionAnswerer {
  /// Returns the imports, oldest first.
  public func imports(after number: Int64? = nil, limit: Int = .max) throws(StoreError) -> ImportsAnswer {
    let portion = try Portion(limit: limit) { limit throws(StoreError) in
      try store.imports(after: number ?? .min, limit: limit)
    }
    return ImportsAnswer(imports: portion.shown.map { ImportAnswer($0) }, next: portion.last?.id)
  }
}
