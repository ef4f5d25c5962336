#if os(Linux)
  import Foundation
  import MessageModel
  import MessageStorage
  import TestSupport
  import Testing

  @testable import scrollback_torture

  /// Attaching on a disk whose folders cannot be synced.
  struct AttachmentSyncTests {
    private let folder: ToolFolder

    init() throws { folder = try ToolFolder() }

    private func path(_ name: String) -> String { folder.url.appending(path: name).path }

    @Test func `a folder that the disk does not take is told, and nothing is attached`() throws {
      try Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }).write(
        to: URL(fileURLWithPath: path("f")))
      let disk = try FaultyDisk(in: folder.url.path)
      let whole = try attach(in: "whole.db", on: disk)
      #expect(whole.status == 0 && whole.count == 1 && whole.folders.count >= 3)
      for number in whole.folders {
        let failed = try attach(
          in: "\(number).db", on: disk, FaultyDisk.Plan(fault: .eio, calls: .syncs, number: number))
        #expect(failed.status == 74 && failed.count == 0, "sync \(number)")
      }
    }

    /// Attaches a file in a store of its own; returns which syncs were those of folders, and how many attachments there are.
    private func attach(
      in name: String, on disk: FaultyDisk, _ plan: FaultyDisk.Plan? = nil
    ) throws -> (status: Int32?, folders: [Int], count: Int) {
      let store = try SynchronousMessageStore(path: path(name))
      defer { store.close() }
      let id = try store.append([NewMessage("x")], to: store.makeConversation(named: "general").id)[0]
      let environment = disk.environment(for: folder.url.path, plan: plan, trace: path("trace"))
      let run = try ProgramRun.run(
        BuiltProduct.path(of: "scrollback"),
        ["scrollback", "attach", "--store", store.path, "\(id)", path("f")],
        environment: environment.merging(["HOME": folder.url.path]) { $1 })
      let events = try DiskTrace(file: path("trace")).events
      try FileManager.default.removeItem(atPath: path("trace"))
      var (number, folders, wasFolderMade) = (0, [Int](), false)
      for event in events {
        defer { if case .makeFolder = event { wasFolderMade = true } else { wasFolderMade = false } }
        switch event {
        case .sync: number += 1
        case .syncFolder(let name):
          number += 1
          // SQLite asks for the folder of its files to be synced, too, and does not mind if that fails.
          if name.hasPrefix(store.path) || wasFolderMade { folders.append(number) }
        case .write, .truncate, .make, .makeFolder, .rename, .exchange, .link, .unlink, .removeFolder, .say:
          break
        }
      }
      return (run.status, folders, try store.attachments(of: id).count)
    }
  }
#endif
