internal import Foundation
internal import MessageModel
internal import MessageStorage
internal import TerminalText

/// One of the two stores of a sync. The syncing computer drives the steps on both sides.
struct SyncPeer {
  /// The path of the store, which may not exist yet.
  let path: String

  static let version = 1
  private static let purpose = "sync"

  enum Step: String {
    /// Report what the store holds.
    case state
    /// Prepare a copy for fetching.
    case prepare
    /// Prepare a folder for the incoming copy, with the present store in it: rsync sends only differences.
    case receive
    /// Check the received copy and replace the store with it.
    case replace
    /// Remove the folder.
    case discard
  }

  struct Answer: Codable {
    var version = SyncPeer.version
    var path: String
    var state: State?
    var stage: String?
    var hasAttachments: Bool?

    struct State: Codable {
      var digest: String
      var shared: [String]
      var messages: Int

      fileprivate init(_ state: StoreState) {
        (digest, shared, messages) = (state.digest, state.shared, state.messageCount)
      }

      func relation(to other: State) -> StoreState.Relation { known.relation(to: other.known) }

      private var known: StoreState { StoreState(digest: digest, shared: shared, messageCount: messages) }
    }

    var mark: String { state?.digest ?? "nothing" }

    var attachments: String { path + ".attachments" }

    var size: String { NumberText.counted(state?.messages ?? 0, "message") }
  }

  init(path: String) { self.path = (try? RealPath.of(path)) ?? path }

  /// - Parameter expected: The ``Answer/mark`` that the store must still have to be replaced.
  func carryOut(_ step: Step, expecting expected: String? = nil) throws -> Answer {
    switch step {
    case .state: return try answer()
    case .prepare: return try prepare()
    case .receive: return try receive()
    case .replace: return try replace(expecting: expected ?? "")
    case .discard:
      StageFolder.known(beside: path, for: Self.purpose).remove()
      return try answer()
    }
  }

  private var isThere: Bool { access(path, F_OK) == 0 }

  private func answer(_ stage: StageFolder? = nil) throws -> Answer {
    guard isThere else { return answer(nil, stage) }
    let store = try SynchronousMessageStore(path: path, options: .readOnly)
    defer { store.close() }
    return answer(try store.state(), stage)
  }

  private func answer(_ state: StoreState?, _ stage: StageFolder?) -> Answer {
    var answer = Answer(path: path, state: state.map(Answer.State.init), stage: stage?.path)
    answer.hasAttachments = access(answer.attachments, F_OK) == 0
    return answer
  }

  private func prepare() throws -> Answer {
    let store = try SynchronousMessageStore(path: path, options: StoreOptions(access: .readWrite))
    defer { store.close() }
    let state = try store.noteSharedState()
    let stage = try StageFolder(beside: path, for: Self.purpose)
    _ = try store.backupDatabase(to: stage.store)
    return answer(state, stage)
  }

  private func receive() throws -> Answer {
    let stage = try StageFolder(beside: path, for: Self.purpose)
    if isThere {
      let store = try SynchronousMessageStore(path: path, options: .readOnly)
      defer { store.close() }
      _ = try store.backupDatabase(to: stage.store)
    }
    return try answer(stage)
  }

  private func replace(expecting expected: String) throws -> Answer {
    let stage = StageFolder.known(beside: path, for: Self.purpose)
    defer { stage.remove() }
    let doing = "cannot replace '\(path)'"
    guard try answer().mark == expected else {
      throw StoreError(.busy, doing, cause: "another program wrote to it meanwhile", remedy: "again")
    }
    try stage.checkKinds(doing: doing)
    try SynchronousMessageStore.restore(stage.store, to: path)
    return try answer()
  }
}
