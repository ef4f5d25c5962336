import Foundation
import MessageModel
import MessageStorage

/// The time that a message which one process appends takes to come out of another that follows.
struct FollowerScenario {
  let setting: Setting

  func run() throws -> [Finding] {
    let path = try setting.storeToWrite()
    let store = try SynchronousMessageStore(path: path)
    defer { store.close() }
    guard let conversation = try store.conversations().first else { return [] }
    let follower = Process()
    let output = Pipe()
    follower.executableURL = URL(fileURLWithPath: setting.scrollback)
    follower.arguments = ["tail", "-f", "-n", "1", "--store", path, "-c", conversation.name]
    follower.standardOutput = output
    try follower.run()
    defer { follower.terminate() }
    let reading = output.fileHandleForReading
    _ = reading.availableData
    var ours = Measurement()
    for number in 0..<setting.depth.times(100) {
      let text = "arrival \(number)"
      try store.append([NewMessage(text, from: "alice")], to: conversation.id)
      try ours.time {
        var seen = ""
        while !seen.contains(text) {
          let data = reading.availableData
          guard !data.isEmpty else { throw Program.Failure("the follower has ended") }
          seen += String(decoding: data, as: UTF8.self)
        }
      }
    }
    return [Finding(name: "an append of another process, from its commit to `tail -f`", ours: ours)]
  }
}
