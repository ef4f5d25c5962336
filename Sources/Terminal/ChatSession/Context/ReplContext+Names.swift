internal import Foundation
internal import MessageModel
internal import MessageStorage

extension ReplContext {
  /// The keyboard waits meanwhile.
  private static let namePatience = Duration.milliseconds(100)

  /// Returns names for completion; none if they cannot be read in time.
  package func names(_ wanted: Completion.Names) -> [String] {
    let end = ContinuousClock.now + Self.namePatience
    let isLate: @Sendable () -> Bool = { ContinuousClock.now > end }
    return SynchronousMessageStore.whileCancellable(by: isLate) { found(wanted) }
  }

  private func found(_ wanted: Completion.Names) -> [String] {
    switch wanted {
    case .conversations: places.recentFirst((try? store.conversationNames()) ?? [])
    case .senders: speakers()
    case .marks: ((try? store.marks()) ?? []).map { "'" + $0.name }
    case .people: (try? store.peopleNames()) ?? []
    case .savedFilters: ((try? store.savedFilters()) ?? []).map(\.name)
    case .sessions(let sort): (try? store.sessionWords(sort)) ?? []
    case .files(let beginning): Self.files(beginning)
    }
  }

  private static let recentCount = 200

  /// Senders, most recent speakers first.
  private func speakers() -> [String] {
    let request = PageRequest(
      wholeSelection, order: .newestFirst, anchor: .newest, fetchLimit: Self.recentCount,
      wantsCounts: false)
    let recent = ((try? store.page(request))?.messages ?? []).compactMap(\.sender?.name)
    let all = ((try? store.senders()) ?? []).map(\.sender.name).sorted()
    var seen: Set<String> = []
    return (recent + all).filter { seen.insert($0).inserted }
  }

  private static func files(_ beginning: String) -> [String] {
    let folder = beginning.lastIndex(of: "/").map { beginning[...$0] } ?? ""
    let place = PathText.expanded(String(folder))
    let names = (try? FileManager.default.contentsOfDirectory(atPath: place.isEmpty ? "." : place))
    let showsHidden = beginning.dropFirst(folder.count).hasPrefix(".")
    return (names ?? []).filter { $0.hasPrefix(".") == showsHidden }.map { name in
      var isFolder: ObjCBool = false
      _ = FileManager.default.fileExists(atPath: place + name, isDirectory: &isFolder)
      return "\(folder)\(name)\(isFolder.boolValue ? "/" : "")"
    }
  }
}
