import ChatSession
import Foundation
import MessageModel
import MessagePictures
import MessageStorage
internal import TerminalText
import TestSupport

/// A list of a hundred pictures took 1.6 GB, and was brought to about 200 MB for four hundred.
struct PicturesStory {
  let largest: Int

  func run(on stage: StoryStage) throws -> StoryTable {
    var table = StoryTable(
      title: "pictures: photographs of 12 and 24 megapixels, scrolled to the oldest and back")
    let naive = try measureNaively(on: stage)
    for size in Set([100, 400, 4_000].map { min($0, largest) }).sorted() {
      let store = try PictureStore(folder: stage.folder).path(photographs: size, on: stage)
      for drawing in ["blocks", "sixels"] {
        let ours = try stage.play(.pictures, [store, "--drawing", drawing])
        table.add(
          "\(size) photographs as \(drawing): peak memory", ours["peak"] ?? .infinity, .megabytes, atMost: 48,
          naive: naive(size))
        table.add(
          "  frames of \(Int(ours["page-frames"] ?? 0)) pages: p99", ours["page-p99"] ?? 0, .milliseconds)
        table.add("  photographs drawn", ours["drawn"] ?? 0, .count)
        table.add("  until the pictures of a page are drawn: p99", ours["drawing-p99"] ?? 0, .milliseconds)
      }
    }
    table.remarks = [
      "The reader of the report: 1.6 GB for 100 the naive way, about 200 MB for 400 at its best.",
      "Naive: each photograph is decoded in full size when its row comes, and kept.",
    ]
    return table
  }

  private func measureNaively(on stage: StoryStage) throws -> (Int) -> String {
    let store = try PictureStore(folder: stage.folder).path(photographs: min(100, largest), on: stage)
    let figures = try stage.play(.picturesNaively, [store], memoryMegabytes: stage.naiveMegabytes)
    let (count, memory) = (figures["held"] ?? 0, figures["memory"] ?? 0)
    return { size in
      let unit = StoryTable.Unit.megabytes
      if Int(count) >= size { return unit.text(memory) }
      return
        "≈ \(unit.text(memory / max(1, count) * Double(size))), extrapolated from \(Int(count)) that fit into "
        + unit.text(Double(stage.naiveMegabytes))
    }
  }
}

/// Stores with photographs, each made once and kept.
struct PictureStore {
  let folder: String

  /// Returns the path of a store with so many photographs, each a message with a sentence.
  func path(photographs: Int, on stage: StoryStage) throws -> String {
    let path = "\(folder)/pictures-\(photographs).db"
    guard !FileManager.default.fileExists(atPath: path + ".whole") else { return path }
    StoreFiles.remove(path)
    let figures = try stage.play(.pictureStore, [path, "--count", "\(photographs)"])
    print(
      toStandardError: "made \(photographs) photographs in \(Int(figures["seconds"] ?? 0)) s, peak "
        + StoryTable.Unit.megabytes.text(figures["peak"] ?? 0))
    _ = FileManager.default.createFile(atPath: path + ".whole", contents: nil)
    return path
  }

  /// The size of a photograph by its number: of a good telephone, or of a camera.
  static func size(_ number: Int) -> PixelSize {
    number.isMultiple(of: 2) ? PixelSize(width: 4_000, height: 3_000) : PixelSize(width: 4_000, height: 6_000)
  }
}

/// Fills a store with photographs and makes their thumbnails.
struct PictureStorePart {
  let store: String
  let count: Int

  func run() throws {
    let maker = try StoryContext.maker()
    let start = ContinuousClock.now
    let store = try SynchronousMessageStore(path: store, options: StoreOptions(durability: .process))
    defer { store.close() }
    let conversation = try store.makeConversation(named: "album").id
    var generator = PictureGenerator()
    for number in 0..<count {
      let bytes = generator.jpeg(PictureStore.size(number), seed: UInt64(number))
      let ids = try store.append([NewMessage("photograph \(number)", from: "mira")], to: conversation)
      for id in ids { try store.attach([NewAttachment(bytes, name: "photograph-\(number).jpg")], to: id) }
    }
    let made = try store.makePictures(by: maker)
    guard made == count else {
      throw StoreError(.damaged, "only \(made) of \(count) photographs were looked at")
    }
    StoryPart.tell("seconds", (ContinuousClock.now - start) / .seconds(1))
  }
}

/// The REPL's session with pictures on, page by page to the oldest and back.
struct PicturesPart {
  let store: String
  let drawing: String

  func run() throws {
    _ = try StoryContext.maker()
    let store = try SynchronousMessageStore(path: store, options: StoreOptions(access: .readOnly))
    defer { store.close() }
    let environment = ["TERM": drawing == "sixels" ? "foot" : "xterm-256color", "COLORTERM": "truecolor"]
    let drawer = PictureSupport.drawer(
      environment: environment, cell: drawing == "sixels" ? PixelSize(width: 10, height: 20) : nil)
    var session = try Session(try StoryContext.make(store), rows: 50, columns: 120)
    session.draw(with: drawer)
    _ = session.handle(.line("/set pictures on"))
    var painter = ScreenPainter(StyleEncoder(.indexed))
    var (pages, drawing, drawn) = (Measurement(), Measurement(), 0)
    for key in [ReplKey.pageOlder, .pageNewer] {
      var place: Message.ID?
      repeat {
        place = session.reader.view.visible.first
        var jobs: [Job] = []
        pages.time {
          _ = session.handle(.key(key))
          jobs = Self.paint(&session, &painter)
        }
        drawing.time { drawn += Self.drawAll(jobs, &session, &painter) }
      } while session.reader.view.visible.first != place
    }
    StoryPart.tell("page-frames", Double(pages.count))
    StoryPart.tell("page-p99", pages.p99 / 1e6)
    StoryPart.tell("drawing-p99", drawing.p99 / 1e6)
    StoryPart.tell("drawn", Double(drawn))
  }

  /// Paints the screen, and returns what is to be drawn for it.
  static func paint(_ session: inout Session<ScreenReader>, _ painter: inout ScreenPainter) -> [Job] {
    let (screen, jobs) = ScreenReader.show(&session)
    _ = painter.paint(screen)
    return jobs
  }

  /// Does on this thread what the REPL has done on another one; returns how many pictures were drawn.
  static func drawAll(
    _ jobs: [Job], _ session: inout Session<ScreenReader>, _ painter: inout ScreenPainter
  ) -> Int {
    var (jobs, count) = (jobs, 0)
    while !jobs.isEmpty {
      for job in jobs {
        let reports = ReportBox()
        job.run(report: { reports.add($0) }, isCancelled: { false })
        for report in reports.all {
          if case .picture(_, .some) = report { count += 1 }
          _ = session.handle(.reported(report))
        }
      }
      jobs = paint(&session, &painter)
    }
    return count
  }
}

/// Decodes each photograph in full size when its row comes, and keeps it.
struct NaivePicturesPart {
  let store: String

  func run() throws {
    #if Pictures
      let store = try SynchronousMessageStore(path: store, options: StoreOptions(access: .readOnly))
      defer { store.close() }
      let request = PageRequest(.everything, order: .newestFirst, fetchLimit: 100_000, wantsCounts: false)
      var held: [[UInt8]] = []
      for attachment in try store.page(request).messages.flatMap(\.attachments) {
        guard let sha256 = attachment.sha256, let path = try store.openContent(sha256).path else { continue }
        // A list in Swift would be ended by the system at the first allocation that fails.
        guard let size = attachment.pixelSize,
          StoryContext.resident + Double(size.pixelCount * 8) / 1e6 < limit,
          let pixels = try? PictureShrinker.pixels(of: .file(path: path))
        else { break }
        held.append(pixels)
      }
      StoryPart.tell("held", Double(held.count))
      StoryPart.tell("memory", StoryContext.resident)
    #endif
  }

  private var limit: Double {
    var limit = rlimit()
    #if os(Linux)
      getrlimit(__rlimit_resource_t(RLIMIT_DATA.rawValue), &limit)
    #else
      getrlimit(RLIMIT_DATA, &limit)
    #endif
    return Double(min(limit.rlim_cur, 1 << 40)) / 1e6
  }
}
