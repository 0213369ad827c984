// SPDX-License-Identifier: MIT
// Spring AI Alibaba: intercept each tool call, and answer it under `getToolCallId()`.

import com.alibaba.cloud.ai.graph.agent.interceptor.ToolCallHandler;
import com.alibaba.cloud.ai.graph.agent.interceptor.ToolCallRequest;
import com.alibaba.cloud.ai.graph.agent.interceptor.ToolCallResponse;
import com.alibaba.cloud.ai.graph.agent.interceptor.ToolInterceptor;
import java.util.Set;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.definition.ToolDefinition;

/** Answers the evidence tools, and leaves all other tools alone. */
public final class SpringAiAlibaba extends ToolInterceptor {

  /** The contract's side: parses the arguments, answers, and returns the JSON text to send back. */
  public interface Evidence {
    String answer(String toolCallId, String toolName, String arguments);
  }

  private final Set<String> toolNames;
  private final Evidence evidence;

  public SpringAiAlibaba(Set<String> toolNames, Evidence evidence) {
    this.toolNames = Set.copyOf(toolNames);
    this.evidence = evidence;
  }

  /** Tells the model of one tool: the three texts are those of `definitions.spring_ai`. */
  public static ToolCallback told(String name, String description, String inputSchema) {
    ToolDefinition definition =
        ToolDefinition.builder()
            .name(name)
            .description(description)
            .inputSchema(inputSchema)
            .build();
    return new ToolCallback() {
      @Override
      public ToolDefinition getToolDefinition() {
        return definition;
      }

      @Override
      public String call(String toolInput) {
        throw new IllegalStateException("a callback has no Tool Call ID: add the interceptor");
      }
    };
  }

  @Override
  public String getName() {
    return "evidence";
  }

  @Override
  public ToolCallResponse interceptToolCall(ToolCallRequest request, ToolCallHandler handler) {
    String toolName = request.getToolName();
    if (!toolNames.contains(toolName)) {
      return handler.call(request);
    }
    String toolCallId = request.getToolCallId(); // the Tool Call ID; some models give ""
    if (toolCallId == null || toolCallId.isBlank()) {
      return ToolCallResponse.error(toolCallId, toolName, "the call has no id to cite");
    }
    return ToolCallResponse.of(
        toolCallId, toolName, evidence.answer(toolCallId, toolName, request.getArguments()));
  }
}
