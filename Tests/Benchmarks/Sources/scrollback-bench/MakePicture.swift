import ArgumentParser
import MessageModel
import TestSupport

/// `picture`: a made-up picture, the same for the same options.
struct MakePicture: ParsableCommand {
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case jpeg, png
  }

  static let configuration = CommandConfiguration(
    commandName: "picture",
    abstract: "Write a made-up picture of WIDTH × HEIGHT pixels; the same options give the same bytes.",
    discussion: """
      Examples:
        scrollback-bench picture 6000 4000 --output photograph.jpg
        scrollback-bench picture 8000 6000 --format png --interlaced --output screenshot.png
      """)

  @Argument(help: "The width in pixels.") var width: Int
  @Argument(help: "The height in pixels.") var height: Int
  @Option(help: "Other seeds give other pictures.") var seed: UInt64 = 1
  @Option(help: "jpeg, a photograph; or png, a screenshot.") var format = Format.jpeg
  @Flag(help: "With noise, as large as a real photograph (jpeg).") var detail = false
  @Flag(help: "In several scans (jpeg).") var progressive = false
  @Flag(help: "In several passes (png).") var interlaced = false
  @Flag(help: "With opacity (png).") var transparent = false
  @Option(help: "How it was held, as EXIF counts, 1 to 8 (jpeg).") var orientation: UInt8 = 0
  @Option(name: .shortAndLong, help: "The file.") var output: String

  func validate() throws {
    guard (1...65_500).contains(width), (1...65_500).contains(height) else {
      throw ValidationError("A side has from 1 to 65500 pixels.")
    }
    guard orientation <= 8 else { throw ValidationError("An orientation is from 1 to 8.") }
  }

  func run() throws {
    let size = PixelSize(width: width, height: height)
    var generator = PictureGenerator()
    let file = try OutputFile(creating: output)
    switch format {
    case .jpeg:
      let style = PictureGenerator.Style(isProgressive: progressive, hasDetail: detail)
      try file.write(generator.jpeg(size, seed: seed, style: style, orientation: orientation))
    case .png:
      let screenshot = PictureGenerator.Screenshot(isInterlaced: interlaced, hasTransparency: transparent)
      try file.write(PictureGenerator.png(size, seed: seed, screenshot))
    }
    try file.close()
  }
}
