internal import GRDB
internal import MessageModel

/// All messages of some conversations and all messages of some senders, as in a person's window, perhaps
/// under further conditions. The senders' messages and the others' messages in the conversations are
/// disjoint, so that ordinals and totals are sums of counts by facet.
struct SelectionUnion {
  let conversations: Set<Conversation.ID>
  let senders: Set<Sender.ID>
  private(set) var ids = FacetFilter.allIDs
  private(set) var rest: [MessagePredicate] = []

  var isCounted: Bool { rest.isEmpty }

  init(_ conversations: Set<Conversation.ID>, ids: ClosedRange<Message.ID>) {
    self.conversations = conversations
    self.senders = []
    self.ids = ids
  }

  init(counting other: SelectionUnion) {
    self = other
    rest = []
  }

  init(_ other: SelectionUnion, within ids: ClosedRange<Message.ID>) {
    self = other
    self.ids = ids
  }

  /// `nil` also if the predicate's ranges of ids exclude each other.
  init?(_ predicate: MessagePredicate) {
    var union: Parts?
    for part in predicate.conjuncts {
      if case .ids(let range) = part {
        guard ids.overlaps(range) else { return nil }
        ids = ids.clamped(to: range)
      } else if union == nil, let parts = Parts(part), part.isUnion {
        union = parts
      } else {
        rest.append(part)
      }
    }
    guard let union else { return nil }
    (conversations, senders) = (union.conversations, union.senders)
  }

  func ordinals(in places: Selection.Conversations, _ db: Database) throws -> [Ordinals] {
    let theirs = filter(.sender(senders))
    switch places {
    case .all:
      let others = filter(.not(.sender(senders)))
      let everywhere =
        senders.isEmpty
        ? [] : [Ordinals(db: db, scope: 0, filter: theirs, goesBySender: true)]
      return everywhere + conversations.sorted().map { Ordinals(db: db, scope: $0.rawValue, filter: others) }
    case .some(let ids):
      let all = filter(.everything)
      return ids.sorted().map {
        Ordinals(db: db, scope: $0.rawValue, filter: conversations.contains($0) ? all : theirs)
      }
    }
  }

  private func filter(_ predicate: MessagePredicate) -> FacetFilter {
    var filter = senders.isEmpty ? FacetFilter() : FacetFilter(predicate) ?? FacetFilter()
    filter.ids = ids
    return filter
  }

  fileprivate struct Parts {
    var conversations: Set<Conversation.ID> = []
    var senders: Set<Sender.ID> = []

    init?(_ predicate: MessagePredicate) {
      switch predicate {
      case .conversation(let ids): conversations = ids
      case .sender(let ids): senders = ids
      case .or(let any):
        for part in any {
          guard let parts = Parts(part) else { return nil }
          conversations.formUnion(parts.conversations)
          senders.formUnion(parts.senders)
        }
      case .and(let all):
        guard all.count == 1, let parts = Parts(all[0]) else { return nil }
        self = parts
      case .everything, .kind, .ids, .written, .has, .file, .forwarded, .thread, .matching, .regex, .not:
        return nil
      }
    }
  }
}

extension Selection {
  /// The predicate's conversations become the selection's.
  var gathered: Selection {
    var gathered = self
    var rest: [MessagePredicate] = []
    let parts = predicate.conjuncts
    for part in parts {
      guard let asked = SelectionUnion.Parts(part), asked.senders.isEmpty, part.namesConversations else {
        rest.append(part)
        continue
      }
      if case .some(let present) = gathered.conversations {
        gathered.conversations = .some(present.intersection(asked.conversations))
      } else {
        gathered.conversations = .some(asked.conversations)
      }
    }
    // Without conversations the predicate stays as it is, since a saved filter may be recognised by it.
    guard rest.count < parts.count else { return self }
    gathered.predicate = .all(of: rest)
    return gathered
  }

  var isCounted: Bool {
    let predicate = gathered.predicate
    return FacetFilter(predicate) != nil || SelectionUnion(predicate)?.isCounted == true
  }
}

extension MessagePredicate {
  fileprivate var isUnion: Bool {
    if case .or = self { true } else { false }
  }

  fileprivate var namesConversations: Bool {
    switch self {
    case .conversation, .or: true
    case .everything, .sender, .kind, .ids, .written, .has, .file, .forwarded, .thread, .matching, .regex,
      .not, .and:
      false
    }
  }
}
