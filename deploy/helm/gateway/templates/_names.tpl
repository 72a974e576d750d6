{{- define "gateway.labels" -}}
app.kubernetes.io/part-of: gateway
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{/* Of what the pods listen on for one another. */}}
{{- define "gateway.scheme" -}}
{{ ternary "https" "http" .Values.internalTls.enabled }}
{{- end }}

{{- define "gateway.secret" -}}
{{ default .root.Release.Name .root.Values.existingSecretPrefix }}-{{ .name }}
{{- end }}
