internal import Foundation
internal import MessageModel
internal import MessageStorage
internal import TerminalText

/// A store that is brought to the state of another one, or brings another one to its own, in steps that the computer which
/// asks for it has them carry out one after the other.
struct SyncPeer {
  /// The path of the store, which need not be there.
  let path: String

  /// The version of the steps and their answers.
  static let version = 1
  private static let purpose = "sync"

  enum Step: String {
    /// Say what the store holds.
    case state
    /// Make a copy ready to be fetched.
    case prepare
    /// Make a folder ready for a copy that comes, with the present store in it, so that what is the same need not be sent.
    case receive
    /// Check what came, and put it in the place of the store.
    case replace
    /// Remove the folder.
    case discard
  }

  /// The answer to a step.
  struct Answer: Codable {
    var version = SyncPeer.version
    /// The absolute path of the store.
    var path: String
    /// The state of the store; `nil` if there is none.
    var state: State?
    /// The folder of copies; `nil` where there is none.
    var stage: String?
    /// Whether there are attachments that lie in files.
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

    /// A word for what the store holds.
    var mark: String { state?.digest ?? "nothing" }

    /// The folder of attachments.
    var attachments: String { path + ".attachments" }

    /// The number of messages, in words.
    var size: String { NumberText.counted(state?.messages ?? 0, "message") }
  }

  init(path: String) { self.path = (try? RealPath.of(path)) ?? path }

  /// Does a step.
  ///
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
      throw StoreError(.busy, doing, cause: "somebody has written to it meanwhile", remedy: "again")
    }
    try stage.checkKinds(doing: doing)
    try SynchronousMessageStore.restore(stage.store, to: path)
    return try answer()
  }
}
