import Foundation
import Testing

/// Files of assistants that are imported again and followed: what is new comes, and nothing comes twice.
@Suite struct AssistantGrowthTests {
  @Test(arguments: AssistantSample.some)
  func `a file that its program has written anew brings nothing`(sample: AssistantSample) throws {
    try sample.withCopy { path in
      let store = try ImportedStore()
      let first = try store.take(path, format: sample.format)
      let said = try store.said()
      #expect(first.addedCount == said.count)
      try Data(sample.bytes()).write(to: URL(filePath: path), options: .atomic)
      #expect(try store.take(path, format: sample.format).addedCount == 0)
      try sample.rewrite(path)
      // A call is shown with what was given in the order in which it stands there.
      #expect(try store.take(path, format: sample.format).addedCount == 0)
      #expect(try store.said().mapValues(\.kind) == said.mapValues(\.kind))
    }
  }

  @Test(arguments: AssistantSample.some)
  func `a file that has grown brings what is new, and an undo takes that back`(sample: AssistantSample) throws
  {
    try sample.withCopy { path in
      let whole = try ReadHistory(path, format: sample.format)
      guard let add = try sample.shorten(path) else { return }
      let store = try ImportedStore()
      try store.take(path, format: sample.format)
      let before = try store.said()
      #expect(before.count < whole.ids.count)
      try add()
      let counts = try store.take(path, format: sample.format)
      #expect(try store.said() == whole.said)
      #expect(counts.addedCount == whole.ids.count - before.count)
      try store.undo()
      #expect(try Set(store.said().keys) == Set(before.keys))
      try store.undo()
      #expect(try store.said().isEmpty)
    }
  }

  @Test(arguments: AssistantSample.some)
  func `a file that is followed brings what its program adds`(sample: AssistantSample) throws {
    let followed = try Followed()
    let folder = followed.folder.appending(path: sample.format)
    try sample.withCopy { path in
      let whole = try ReadHistory(path, format: sample.format)
      guard let add = try sample.shorten(path) else { return }
      let root = String(path.dropLast(sample.path.count))
      try FileManager.default.moveItem(atPath: root, toPath: folder.path)
      try FileManager.default.createSymbolicLink(
        atPath: String(root.dropLast()), withDestinationPath: folder.path)
      try followed.settle()
      let before = try ImportedStore.said(in: followed.store)
      #expect(!whole.ids.isSubset(of: before.keys))
      try add()
      try followed.settle(for: 20)
      let after = try ImportedStore.said(in: followed.store)
      // What a question has cost is said when the next one comes.
      for (id, said) in whole.said where !id.hasSuffix("/usage") { #expect(after[id] == said) }
    }
  }
}
